import { requireFileRoom } from '../../../billing/require-room.ts'
import type { CopiedFiles } from '../../../records/copying/copy-records.ts'
import type { Secrets } from '../../../secrets.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import type { Base } from '../../base.ts'

/** A base, and the empty one that becomes its copy. */
export interface BaseCopy {
  readonly from: Base
  readonly copy: Base
}

/**
 * The files of cells that are copied into another space: each gets a token there, because those of a space go with it.
 * Their bytes are the same ones.
 */
export class FilesOfCopy implements CopiedFiles {
  readonly #context: TableContext & { readonly secrets: Secrets }
  readonly #bases: BaseCopy
  readonly #tokens = new Map<string, string>()

  /** Takes the bases that files go from and to. */
  constructor(context: TableContext & { readonly secrets: Secrets }, bases: BaseCopy) {
    this.#context = context
    this.#bases = bases
  }

  async tokensThere(tokens: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { tx, secrets, userId, now } = this.#context
    const { from, copy } = this.#bases
    const missing = tokens.filter((token) => !this.#tokens.has(token))
    const files = await tx.attachments.findAll(from.spaceId, missing)
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    await requireFileRoom(this.#context, copy.spaceId, bytes)
    for (const file of files) {
      const token = secrets.token()
      this.#tokens.set(file.token, token)
      const made = { createdBy: userId, createdTime: now, attachedTime: now }
      await tx.attachments.insert({ ...file, ...made, token, spaceId: copy.spaceId })
    }
    return this.#tokens
  }
}
