import type { Cell } from '../fields/cell.ts'
import type { LoadedTable } from '../schemas/schema-graph.ts'
import type { ColumnField } from '../schemas/table-schema.ts'
import type { WriteTx } from '../store.ts'

/** The link cells of one record: as they were and, where they changed, as they are. */
export interface LinkingRecord {
  readonly id: string
  /** Undefined for a record that is new. */
  readonly before: readonly (Cell | null)[] | undefined
  readonly after: readonly (Cell | null)[]
}

/** Records of linked tables that gained or lost a link: their cells, by the field that shows the link there. */
export type OtherSide = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Stores which records are linked, as the cells of changed records say. Returns whose cells at the other
 * end are to be worked out anew, by symmetric field.
 */
export async function changeLinks(
  tx: WriteTx,
  { schema }: LoadedTable,
  records: readonly LinkingRecord[],
): Promise<OtherSide> {
  const otherSide = new Map<string, Set<string>>()
  for (const schemaField of schema.columns) {
    const { link } = schemaField
    if (!link) continue
    const links = new Map<string, readonly string[]>()
    const affected = new Set<string>()
    for (const record of records) {
      const change = changeOf(schemaField, record)
      if (!change) continue
      links.set(record.id, change.after)
      for (const id of change.moved) affected.add(id)
    }
    if (links.size === 0) continue
    // Where one table has both ends, the same write may have made links by the other one just before.
    if (otherSide.has(schemaField.field.id)) {
      const made = await tx.links.of(link.end, [...links.keys()])
      for (const { foreignId } of made) affected.add(foreignId)
    }
    await tx.links.replace(link.end, links)
    const { symmetricFieldId } = link
    if (symmetricFieldId === undefined || affected.size === 0) continue
    const known = otherSide.get(symmetricFieldId)
    otherSide.set(symmetricFieldId, known ? known.union(affected) : affected)
  }
  return otherSide
}

/** Which records the cell links to now, and which of them are new or gone; undefined when none changed. */
function changeOf({ link, column }: ColumnField, { before, after }: LinkingRecord) {
  const idsOf = (cell: Cell | null | undefined) =>
    cell === null || cell === undefined || !link ? [] : link.ability.recordIds(cell)
  const old = idsOf(before?.[column.index])
  const now = idsOf(after[column.index])
  if (old.length === now.length && old.every((id, index) => id === now[index])) return undefined
  return { after: now, moved: new Set(old).symmetricDifference(new Set(now)) }
}
