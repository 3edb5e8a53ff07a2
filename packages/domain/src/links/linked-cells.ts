import { assert } from '../errors.ts'
import type { Cell } from '../fields/cell.ts'
import type { Field } from '../fields/field.ts'
import { hasMany } from '../fields/link-end.ts'
import { linkCapabilityOf } from '../fields/link-of.ts'
import type { StoredRecord } from '../records/stored/stored-record.ts'
import type { ColumnField } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'

/** Cells that name the records to which records are linked, without titles, by record; none of a link that has an error. */
export async function linkedCells(
  tx: Pick<ReadTx, 'links'>,
  field: Field,
  recordIds: readonly string[],
): Promise<ReadonlyMap<string, Cell>> {
  const end = linkCapabilityOf(field)?.endOf(field.options)
  assert(end, 'cells of links are those of a link')
  if (field.hasError) return new Map()
  const isMany = hasMany(end.relationship)
  const byRecord = Map.groupBy(await tx.links.of(end, recordIds), ({ recordId }) => recordId)
  const cells = new Map<string, Cell>()
  for (const [recordId, pairs] of byRecord) {
    const items = pairs.map(({ foreignId: id }) => ({ id }))
    const [only] = items
    if (only) cells.set(recordId, isMany ? items : only)
  }
  return cells
}

/** The records with the links that they have: their cells may be behind these, while the background works them out. */
export async function withLinks<Some extends Pick<StoredRecord, 'id' | 'cells'>>(
  tx: Pick<ReadTx, 'links'>,
  fields: readonly ColumnField[],
  records: readonly Some[],
): Promise<readonly Some[]> {
  let linked = records
  for (const { field, column, link } of fields) {
    if (!link) continue
    const ids = records.map(({ id }) => id)
    const cells = await linkedCells(tx, field, ids)
    linked = linked.map((record) => ({
      ...record,
      cells: record.cells.with(column.index, cells.get(record.id) ?? null),
    }))
  }
  return linked
}
