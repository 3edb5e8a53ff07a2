import { cellOf } from '../../../../records/cell-of.ts'
import { scanRecords } from '../../../../records/scan-records.ts'
import type { TableSchema } from '../../../../schemas/table-schema.ts'
import type { WriteTx } from '../../../../store.ts'
import type { UndoLog } from '../../../../undo/undo-log.ts'
import type { KeptColumn } from '../../../../undo/undo-step.ts'
import type { Cell } from '../../../cell.ts'
import type { Field } from '../../../field.ts'
import { isComputed } from '../../../field-values.ts'
import type { KeptCells } from '../converted-pages.ts'

/** What the cells of a field hold, those of deleted records too; undefined where there is no room for it. */
export async function keptColumn(
  tx: WriteTx,
  schema: TableSchema,
  { id }: Pick<Field, 'id'>,
  room: UndoLog,
): Promise<KeptColumn | undefined> {
  const until = await tx.recordScanner.lastNumber(schema)
  const schemaField = schema.byKey.id.get(id)
  const column = schemaField?.column
  const cells: KeptColumn['cells'][number][] = []
  if (!schemaField || !column || isComputed(schemaField.field)) return { cells, until }
  for await (const { records } of scanRecords(tx, schema, {
    columns: [column],
    withDeleted: true,
  })) {
    for (const record of records) {
      const cell = cellOf(schemaField, record)
      if (cell === null) continue
      if (!room.takeRoom([record.id, cell])) return undefined
      cells.push([record.id, cell])
    }
    await tx.giveWay()
  }
  return { cells, until }
}

/** The cells that were kept of a column. */
export function cellsOfColumn({ cells, until }: KeptColumn): KeptCells {
  const byRecord = new Map(cells as readonly (readonly [string, Cell])[])
  return { until, cellsOf: async () => byRecord }
}
