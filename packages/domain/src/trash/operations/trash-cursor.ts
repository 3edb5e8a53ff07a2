import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { signedPosition, signPosition } from '../../records/pages/cursor.ts'
import type { Secrets } from '../../secrets.ts'
import { textUpTo } from '../../values/storable-text.ts'
import type { TrashPosition } from '../trash-entry.ts'

/** How a caller says which page of a trash is asked for. */
export const trashPageShape = {
  cursor: textUpTo(limits.cursorLength).optional().describe('The `nextCursor` of the page before'),
  pageSize: z
    .int()
    .min(1)
    .max(limits.trashEntriesPerPage)
    .optional()
    .describe(`How many entries a page has: ${limits.trashEntriesPerPage} when left out`),
}

/** The member of answers that leads to the page that follows. */
export const nextTrashCursor = z
  .string()
  .nullable()
  .describe('Leads to the page that follows; null at the end')

/** A page that is asked for of a trash, which a name tells from all others. */
interface AskedPage {
  readonly secrets: Secrets
  readonly trash: string
  readonly cursor?: string | undefined
}

/** Where the page begins: after the entry of the cursor. validation_error for a cursor of another trash, and any other text. */
export function trashPosition({ secrets, trash, cursor }: AskedPage): TrashPosition | undefined {
  if (cursor === undefined) return undefined
  const position = signedPosition(secrets, `trash:${trash}`, cursor)
  if (position === undefined) {
    throw invalidAt(['cursor'], 'must be the nextCursor of an earlier answer about the same trash')
  }
  const [deletedTime = '', id = ''] = position.split('_')
  return { deletedTime, id }
}

/** So many entries of those that were read, one more than a page has, and the cursor to the page that follows. */
export function toTrashPage<Entry extends TrashPosition>(
  { secrets, trash }: Pick<AskedPage, 'secrets' | 'trash'>,
  entries: readonly Entry[],
  pageSize: number,
): { readonly page: readonly Entry[]; readonly nextCursor: string | null } {
  const page = entries.slice(0, pageSize)
  const last = page.at(-1)
  if (!last || entries.length <= pageSize) return { page, nextCursor: null }
  const position = `${last.deletedTime}_${last.id}`
  return { page, nextCursor: signPosition(secrets, `trash:${trash}`, position) }
}
