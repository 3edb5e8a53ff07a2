import { invalidAt } from '../../errors.ts'
import { hasMany } from '../../fields/link-end.ts'
import { limits } from '../../limits.ts'
import type { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { SchemaField, SchemaLink } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { WorkRow } from './evaluate-rows.ts'

/**
 * Puts into the cells of link fields which records are linked, without titles yet. Throws
 * validation_error when a cell would hold more than one can; with a graph, it names the field at the other
 * end too, which is the one that the caller wrote to.
 */
export async function readMembers(
  tx: ReadTx,
  links: readonly SchemaField[],
  rows: readonly WorkRow[],
  graph?: SchemaGraph,
): Promise<void> {
  for (const { link, column, field } of links) {
    if (!link || !column) continue
    const pairs = await tx.links.of(
      link.end,
      rows.map(({ id }) => id),
    )
    const byRecord = Map.groupBy(pairs, ({ recordId }) => recordId)
    for (const row of rows) {
      const items = byRecord.get(row.id)?.map(({ foreignId }) => ({ id: foreignId })) ?? []
      if (items.length > limits.linksPerCell) {
        const other = graph && (await otherEndOf(graph, link))
        const written = other === undefined ? '' : `, the other end of "${other}"`
        const message = `a record can't be linked to more than ${limits.linksPerCell} others by "${field.name}"${written}`
        throw invalidAt([], message)
      }
      const cell = hasMany(link.end.relationship) ? items : items[0]
      row.cells[column.index] = items.length === 0 ? null : (cell ?? null)
    }
  }
}

/** The name of the field at the other end of the link, if it has one. */
async function otherEndOf(
  graph: SchemaGraph,
  { foreignTableId, symmetricFieldId }: SchemaLink,
): Promise<string | undefined> {
  if (symmetricFieldId === undefined) return undefined
  const there = await graph.find(foreignTableId)
  return there?.schema.byKey.id.get(symmetricFieldId)?.field.name
}
