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
  if (recordIds.length === 0 || areFew(ends.length + (counted ? 1 : 0))) return
  const totals = new Map(recordIds.map((id) => [id, counted?.counts.get(id) ?? 0]))
  for (const end of ends) {
    for (const [id, count] of await tx.links.count(end, recordIds)) {
      totals.set(id, (totals.get(id) ?? 0) + count)
    }
  }
  return recordIds.find((id) => (totals.get(id) ?? 0) > limits.linksPerRecord)
}

/** Whether a record has room for all links that so many fields can hold. */
function areFew(linkFields: number): boolean {
  return linkFields * limits.linksPerCell <= limits.linksPerRecord
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

/** One of the records that have links in a field of the table and more in all fields than a record may; undefined when none has. */
export async function findOverlinkedIn(
  tx: WriteTx,
  schema: TableSchema,
  end: LinkEnd,
): Promise<string | undefined> {
  if (areFew(schema.fields.filter(({ link }) => link).length)) return undefined
  for (let after = ''; ; ) {
    const ids = await tx.links.withMany(end, linksWithRoom(), after, countedAtOnce)
    const wrong = await findOverlinked(tx, schema, ids)
    if (wrong !== undefined || ids.length < countedAtOnce) return wrong
    after = ids.at(-1) ?? after
    await tx.giveWay()
  }
}

/** Throws validation_error where records of the table come to have too many links by a field that comes back with its own. */
export async function requireRoomForField(
  tx: WriteTx,
  schema: TableSchema,
  end: LinkEnd,
): Promise<void> {
  const wrong = await findOverlinkedIn(tx, schema, end)
  if (wrong !== undefined) throw cantComeBack(wrong)
}

function cantComeBack(recordId: string) {
  return invalidAt(
    [],
    `can't come back: ${tooManyLinks()}, and the record "${recordId}" has others`,
  )
}

/**
 * Throws validation_error where one of the records has too many links for a cell, or in all its fields: of those to which
 * deleted records were linked that came back.
 */
export async function requireRoomForReturned(
  tx: WriteTx,
  schema: TableSchema,
  { ownerFieldId, isOwner }: LinkEnd,
  recordIds: readonly string[],
): Promise<void> {
  const shown = schema.fields.find(
    ({ link }) => link?.end.ownerFieldId === ownerFieldId && link.end.isOwner === isOwner,
  )
  // Who is linked to without showing it holds nothing of that.
  if (!shown?.link) return
  for (const [recordId, count] of await tx.links.count(shown.link.end, recordIds)) {
    if (count <= limits.linksPerCell) continue
    const message = `can't come back: the record "${recordId}" would be linked to more than ${limits.linksPerCell} others by "${shown.field.name}"`
    throw invalidAt([], message)
  }
  await requireFewInAll(tx, schema, recordIds)
}

/** Refuses records that have too many links in all of their fields together. */
export async function requireFewInAll(
  tx: WriteTx,
  schema: TableSchema,
  recordIds: readonly string[],
): Promise<void> {
  const wrong = await findOverlinked(tx, schema, recordIds)
  if (wrong !== undefined) throw cantComeBack(wrong)
}

/** Steps that copying a link takes: its pair is in two or three indexes. */
const stepsPerLink = 1_000

/** Throws validation_error where links of so many pairs are too many to be copied in one write. */
export function requireCopyableLinks(links: number, ...path: readonly string[]): void {
  const most = linksCopiedAtMost()
  if (links <= most) return
  throw invalidAt(path, `one write copies ${most} links at most, there are ${links}`)
}

/**
 * Throws validation_error where a link that becomes another one has more links of records in the trash than are kept: they are copied
 * twice.
 */
export function requireKeepableLinks(lost: number): void {
  const most = Math.floor(linksCopiedAtMost() / 2)
  if (lost <= most) return
  const kept = `one write keeps the links of records in the trash up to ${most}`
  throw invalidAt([], `${kept}, there are ${lost}: restore or purge some of these first`)
}

function linksCopiedAtMost(): number {
  return Math.floor(limits.stepsPerWholeWrite / stepsPerLink)
}
