import { invalidAt } from '../errors.ts'
import type { LinkEnd } from '../fields/link-end.ts'
import { limits } from '../limits.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx, WriteTx } from '../store.ts'

/** Links of a cell up to which its record can't have too many, whatever its other cells hold. */
export function linksWithRoom(): number {
  return Math.min(limits.linksPerCell, Math.floor(limits.linksPerRecord / limits.fieldsPerTable))
}

/** What is said of a record that would have too many links. */
export function tooManyLinks(): string {
  return `a record can have ${limits.linksPerRecord} links at most, in all its fields together`
}

/** The links that records have in a field that their schema doesn't have as it is to be. */
interface Counted {
  readonly fieldId: string
  readonly counts: ReadonlyMap<string, number>
}

/** One of the records that has more links than a record may, in all fields of its table; undefined when none has. */
export async function findOverlinked(
  tx: Pick<ReadTx, 'links'>,
  schema: TableSchema,
  recordIds: readonly string[],
  counted?: Counted,
): Promise<string | undefined> {
  const ends = schema.fields.flatMap(({ link, field }) =>
    link && field.id !== counted?.fieldId ? [link.end] : [],
  )
  const fieldCount = ends.length + (counted ? 1 : 0)
  if (recordIds.length === 0 || fieldCount * limits.linksPerCell <= limits.linksPerRecord) return
  const totals = new Map(recordIds.map((id) => [id, counted?.counts.get(id) ?? 0]))
  for (const end of ends) {
    for (const [id, count] of await tx.links.count(end, recordIds)) {
      totals.set(id, (totals.get(id) ?? 0) + count)
    }
  }
  return recordIds.find((id) => (totals.get(id) ?? 0) > limits.linksPerRecord)
}

/**
 * Throws validation_error where links that records just got, by a field that comes, are too many for one of
 * them. The schema may have the field, or not yet.
 */
export async function requireRoomForLinks(
  tx: WriteTx,
  schema: TableSchema,
  fieldId: string,
  links: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const counts = new Map<string, number>()
  for (const [id, { length }] of links) if (length > linksWithRoom()) counts.set(id, length)
  const wrong = await findOverlinked(tx, schema, [...counts.keys()], { fieldId, counts })
  if (wrong !== undefined) throw invalidAt([], tooManyLinks())
}

/** Records whose links are counted at a time. */
const countedAtOnce = 1_000

/** Does the same for all links of a field that the schema has: those of another one were copied to it. */
export async function requireRoomForCopies(
  tx: WriteTx,
  schema: TableSchema,
  end: LinkEnd,
): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await tx.links.withMany(end, linksWithRoom(), after, countedAtOnce)
    if ((await findOverlinked(tx, schema, ids)) !== undefined) throw invalidAt([], tooManyLinks())
    if (ids.length < countedAtOnce) return
    after = ids.at(-1) ?? after
    await tx.giveWay()
  }
}

/** Steps that copying a link takes: its pair is in two or three indexes. */
const stepsPerLink = 1_000

/** Throws validation_error where links of so many pairs are too many to be copied in one write. */
export function requireCopyableLinks(links: number, ...path: readonly string[]): void {
  const most = Math.floor(limits.stepsPerWholeWrite / stepsPerLink)
  if (links <= most) return
  throw invalidAt(path, `one write copies ${most} links at most, there are ${links}`)
}
