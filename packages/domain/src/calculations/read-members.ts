import { invalidAt } from '../errors.ts'
import { hasMany } from '../fields/link-side.ts'
import { limits } from '../limits.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'
import type { WorkRow } from './evaluate-rows.ts'

/**
 * Puts into the cells of link fields which records are linked, without titles yet. Throws
 * validation_error when a cell would hold more than one can.
 */
export async function readMembers(
  tx: ReadTx,
  links: readonly SchemaField[],
  rows: readonly WorkRow[],
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
        const message = `a record can't be linked to more than ${limits.linksPerCell} others by "${field.name}"`
        throw invalidAt([], message)
      }
      const cell = hasMany(link.end.relationship) ? items : items[0]
      row.cells[column.index] = items.length === 0 ? null : (cell ?? null)
    }
  }
}
