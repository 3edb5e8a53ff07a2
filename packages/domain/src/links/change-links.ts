import type { Cell } from '../fields/cell.ts'
import { limits } from '../limits.ts'
import { type IssueLocator, RowIssues } from '../records/input/row-issues.ts'
import type { LoadedTable, SchemaGraph } from '../schemas/schema-graph.ts'
import type { ColumnField, TableSchema } from '../schemas/table-schema.ts'
import type { WriteTx } from '../store.ts'
import type { PlacedPair } from './link-repository.ts'
import { findOverlinked, linksWithRoom, tooManyLinks } from './link-room.ts'

/** The link cells of one record: as they were and, where they changed, as they are. */
export interface LinkingRecord {
  readonly id: string
  /** Undefined for a record that is new. */
  readonly before: readonly (Cell | null)[] | undefined
  readonly after: readonly (Cell | null)[]
}

/** Records of linked tables that gained or lost a link: their cells, by the field that shows the link there. */
type OtherSide = ReadonlyMap<string, ReadonlySet<string>>

/** What refusals of links say: the names of fields at other ends, and where the records stand in the request. */
interface LinkRefusals {
  readonly graph: SchemaGraph
  readonly locator: IssueLocator
}

/** Where pairs had been at the other ends of links, by the field that shows them at this end. */
export type PlacesByField = ReadonlyMap<string, readonly PlacedPair[]>

/**
 * Stores which records are linked, as the cells of changed records say. Returns whose cells at the other
 * end are to be computed again, by symmetric field. Throws validation_error, at the cells that say it, where
 * a record at either end comes to have more links than a cell, or a record, may.
 */
export async function changeLinks(
  tx: WriteTx,
  { schema }: LoadedTable,
  records: readonly LinkingRecord[],
  { graph, locator, places }: LinkRefusals & { readonly places?: PlacesByField | undefined },
): Promise<OtherSide> {
  const otherSide = new Map<string, Set<string>>()
  const grown: Grown[] = []
  for (const schemaField of schema.columns) {
    const { link } = schemaField
    if (!link) continue
    const links = new Map<string, readonly string[]>()
    const long: string[] = []
    const affected = new Set<string>()
    for (const record of records) {
      const change = changeOf(schemaField, record)
      if (!change) continue
      links.set(record.id, change.after)
      if (change.hasGrown && change.after.length > linksWithRoom()) long.push(record.id)
      for (const id of change.moved) affected.add(id)
    }
    if (links.size === 0) continue
    // Where one table has both ends, the same write may have made links by the other one just before.
    if (otherSide.has(schemaField.field.id)) {
      const made = await tx.links.of(link.end, [...links.keys()])
      for (const { foreignId } of made) affected.add(foreignId)
    }
    const positions = await tx.links.replace(link.end, links, {
      places: places?.get(schemaField.field.id),
    })
    const most = linksWithRoom()
    const atOtherEnd = [...positions].flatMap(([id, position]) => (position > most ? [id] : []))
    grown.push({ schemaField, links, long, atOtherEnd })
    const { symmetricFieldId } = link
    if (symmetricFieldId === undefined || affected.size === 0) continue
    const known = otherSide.get(symmetricFieldId)
    otherSide.set(symmetricFieldId, known ? known.union(affected) : affected)
  }
  await requireRoom(tx, graph, schema, grown, new RowIssues(locator), records)
  return otherSide
}

/** Cells of one field that have other links now, and who may have too many by that. */
interface Grown {
  readonly schemaField: ColumnField
  /** What they link to, by record. */
  readonly links: ReadonlyMap<string, readonly string[]>
  /** Records whose cell has many. */
  readonly long: readonly string[]
  /** Records that are linked to from many places. */
  readonly atOtherEnd: readonly string[]
}

/** Looks once all links are stored: a request can move them from one cell to another. */
async function requireRoom(
  tx: WriteTx,
  graph: SchemaGraph,
  schema: TableSchema,
  grown: readonly Grown[],
  issues: RowIssues,
  records: readonly LinkingRecord[],
): Promise<void> {
  for (const { schemaField, links, long, atOtherEnd } of grown) {
    const wrong = await findOverlinked(tx, schema, long)
    if (wrong !== undefined) {
      const row = records.findIndex(({ id }) => id === wrong)
      issues.add(row, schemaField, tooManyLinks())
    }
    if (atOtherEnd.length === 0 || !schemaField.link) continue
    const refused = await refusedAtOtherEnd(tx, graph, schemaField, atOtherEnd)
    if (!refused) continue
    const row = records.findLastIndex(({ id }) => links.get(id)?.includes(refused.recordId))
    issues.add(Math.max(row, 0), schemaField, refused.message)
  }
  issues.throwIfAny()
}

/** The first of the records at the other end of a link that has too many, and what is said of it. */
async function refusedAtOtherEnd(
  tx: WriteTx,
  graph: SchemaGraph,
  { field, link }: ColumnField,
  recordIds: readonly string[],
): Promise<{ readonly recordId: string; readonly message: string } | undefined> {
  const foreign = link && (await graph.find(link.foreignTableId))
  const shown = foreign?.schema.byKey.id.get(link?.symmetricFieldId ?? '')
  // Who is linked to without showing it holds nothing of that.
  if (!foreign || !shown?.link) return undefined
  const counts = await tx.links.count(shown.link.end, recordIds)
  for (const [recordId, count] of counts) {
    if (count <= limits.linksPerCell) continue
    const message = `a record can't be linked to more than ${limits.linksPerCell} others by "${shown.field.name}", the other end of "${field.name}"`
    return { recordId, message }
  }
  const recordId = await findOverlinked(tx, foreign.schema, recordIds)
  return recordId === undefined ? undefined : { recordId, message: tooManyLinks() }
}

/** Which records the cell links to now, and which of them are new or gone; undefined when none changed. */
function changeOf({ link, column }: ColumnField, { before, after }: LinkingRecord) {
  const idsOf = (cell: Cell | null | undefined) =>
    cell === null || cell === undefined || !link ? [] : link.capability.recordIds(cell)
  const old = idsOf(before?.[column.index])
  const now = idsOf(after[column.index])
  if (old.length === now.length && old.every((id, index) => id === now[index])) return undefined
  const hasGrown = now.length > old.length
  return { after: now, hasGrown, moved: new Set(old).symmetricDifference(new Set(now)) }
}
