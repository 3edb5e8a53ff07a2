import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attacker, Target } from './attack.ts'

/** An item of a cell, as it is shown to whoever is signed in. */
interface ShownFile {
  readonly token: string
  readonly path: string
  readonly size: number
  readonly presignedUrl: string
}

type FileTarget = Pick<Target, 'url' | 'fail'>

/** A table of records with files, and what the server has acknowledged of these. */
export class FileTable {
  readonly id: string
  readonly fieldId: string
  /** SHA-256 of each file that was acknowledged, by the record whose cell has it. */
  readonly acknowledged = new Map<string, string>()
  readonly #attacker: Attacker
  readonly #target: FileTarget

  private constructor(target: FileTarget, attacker: Attacker, id: string, fieldId: string) {
    this.id = id
    this.fieldId = fieldId
    this.#target = target
    this.#attacker = attacker
  }

  static async open(target: FileTarget, attacker: Attacker): Promise<FileTable> {
    const { api, baseId } = attacker
    const { id: tableId } = await api.tables.createTable({ baseId, records: [] })
    const { id } = await api.fields.createField({ tableId, type: 'attachment', name: 'Files' })
    return new FileTable(target, attacker, tableId, id)
  }

  /** Makes records without files. Answers their ids. */
  async addRecords(count: number): Promise<readonly string[]> {
    const records = Array.from({ length: count }, () => ({ fields: {} }))
    const made = await this.#attacker.api.records.createRecords({ tableId: this.id, records })
    return made.records.map(({ id }) => id)
  }

  /** Sends a file as a form into the cell of the record. */
  async upload(recordId: string, file: Blob, name = 'file'): Promise<void> {
    const place = { tableId: this.id, recordId, fieldId: this.fieldId }
    const sent = Object.assign(file, { name }) as File
    await this.#attacker.api.attachments.uploadAttachment({ ...place, file: sent })
  }

  /** Sends a file by itself, under a token, and puts it into the cell of the record then. */
  async uploadApart(recordId: string, file: Blob, name = 'file'): Promise<void> {
    const { attachments } = this.#attacker.api
    const contentType = 'application/octet-stream'
    const { token } = await attachments.requestUpload({
      baseId: this.#attacker.baseId,
      type: 1,
      contentType,
      contentLength: file.size,
    })
    await attachments.uploadContent({ token, contentType, content: file.stream() })
    await attachments.finishUpload({ token, filename: name })
    const place = { tableId: this.id, recordId, fieldId: this.fieldId }
    await attachments.insertAttachment({ ...place, attachments: [{ name, token }] })
  }

  /** Sends bytes in one of the two ways, and notes what was acknowledged. */
  async keep(recordId: string, bytes: Buffer, isApart: boolean): Promise<void> {
    const file = new Blob([Uint8Array.from(bytes)])
    await (isApart ? this.uploadApart(recordId, file) : this.upload(recordId, file))
    this.acknowledged.set(recordId, digestOf(bytes))
  }

  /**
   * Reads every file of every cell, and fails the attack for one that can't be read, isn't what its path says, or was
   * acknowledged and isn't there. Answers how many there are.
   */
  async check(): Promise<number> {
    const { fail } = this.#target
    const missing = new Map(this.acknowledged)
    let count = 0
    for (const { recordId, file } of await this.#files()) {
      const bytes = await this.#read(file)
      const digest = bytes && digestOf(bytes)
      if (!digest || bytes.length !== file.size || !file.path.startsWith(digest)) {
        fail(`the file of ${recordId} can’t be read: ${bytes?.length} of ${file.size} bytes`)
      }
      if (missing.get(recordId) === digest) missing.delete(recordId)
      count++
    }
    if (missing.size > 0) fail(`${missing.size} acknowledged files were lost`)
    return count
  }

  async #files(): Promise<readonly { readonly recordId: string; readonly file: ShownFile }[]> {
    const { records } = this.#attacker.api
    const found = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const from = cursor === undefined ? {} : { cursor }
      const page = await records.listRecords({
        ...{ tableId: this.id, take: 200, fieldKeyType: 'id' as const, ...from },
      })
      for (const { id: recordId, fields } of page.records) {
        const files = (fields[this.fieldId] ?? []) as readonly ShownFile[]
        found.push(...files.map((file) => ({ recordId, file })))
      }
      cursor = page.nextCursor
    }
    return found
  }

  async #read({ presignedUrl }: ShownFile): Promise<Buffer | undefined> {
    const response = await fetch(new URL(presignedUrl, this.#target.url))
    const bytes = Buffer.from(await response.arrayBuffer())
    return response.ok ? bytes : undefined
  }
}

/** The names of what comes in, or was coming in when the server was killed. */
export async function incomingFiles(dataDir: string): Promise<readonly string[]> {
  const folder = join(dataDir, 'attachments', 'incoming')
  const names = await readdir(folder).catch(() => [])
  return names.map((name) => join(folder, name))
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
