import { DomainError } from '../../../../errors.ts'
import { scanRecords } from '../../../../records/reading/scan-records.ts'
import { cellOf } from '../../../../records/stored/cell-of.ts'
import { isLarge } from '../../../../records/stored/is-large.ts'
import { type Column, type TableSchema, toSchemaField } from '../../../../schemas/table-schema.ts'
import type { WriteTx } from '../../../../store.ts'
import type { UndoLog } from '../../../../undo/undo-log.ts'
import type { ColumnAside, KeptColumn } from '../../../../undo/undo-step.ts'
import type { Cell } from '../../../cell.ts'
import { computationScope } from '../../../derivation/formula-field.ts'
import type { Field } from '../../../field.ts'
import { isComputed } from '../../../field-values.ts'
import type { KeptCells, KeptInColumn } from '../converted-pages.ts'
import type { KeptDefinition } from './kept-definition.ts'

/**
 * What the cells of a field hold, those of deleted records too, where a step has room for it; else `aside`: they are to be
 * kept in their column. What follows from other cells needn't be kept.
 */
export async function keptColumn(
  tx: WriteTx,
  schema: TableSchema,
  { id }: Pick<Field, 'id'>,
  room: UndoLog,
): Promise<KeptColumn | 'aside'> {
  const until = await tx.recordScanner.lastNumber(schema)
  const schemaField = schema.byKey.id.get(id)
  const column = schemaField?.column
  const cells: KeptColumn['cells'][number][] = []
  if (!schemaField || !column || isComputed(schemaField.field)) return { cells, until }
  if (await isLarge(tx, schema)) return 'aside'
  let length = 0
  const scan = { columns: [column], withDeleted: true }
  for await (const { records } of scanRecords(tx, schema, scan)) {
    for (const record of records) {
      const cell = cellOf(schemaField, record)
      if (cell === null) continue
      length += JSON.stringify([record.id, cell]).length + 1
      if (!room.hasRoom(length)) return 'aside'
      cells.push([record.id, cell])
    }
    await tx.giveWay()
  }
  return { cells, until }
}

/** The cells that a step keeps of a column. */
export function cellsOfColumn({ cells, until }: KeptColumn): KeptCells {
  const byRecord = new Map(cells as readonly (readonly [string, Cell])[])
  return { until, cellsOf: async () => byRecord }
}

/** The cells that a column keeps which no field has any more. Throws conflict where it doesn't any more. */
export async function cellsAside(
  tx: WriteTx,
  schema: TableSchema,
  { field, definition }: { readonly field: Field; readonly definition: KeptDefinition },
  { keptId: id, until }: ColumnAside,
): Promise<KeptCells> {
  const { columnName } = (await tx.keptValues.find(id)) ?? {}
  const retired = await tx.fields.retiredColumns(schema.tableId)
  const isThere = retired.some(({ name, emptied }) => name === columnName && emptied === 0)
  if (columnName === undefined || !isThere) {
    throw new DomainError(
      'conflict',
      `The values that "${definition.name}" had are not kept any more`,
    )
  }
  const { broken: _, ...members } = definition
  const was = { ...field, ...members, result: null, hasError: false, isPending: false, columnName }
  return cellsInColumn(schema, { id, field: was, until })
}

/** The cells that a column keeps. */
export function cellsInColumn(schema: TableSchema, inColumn: KeptInColumn): KeptCells {
  const { field, until } = inColumn
  const scope = computationScope(new Map([[field.id, field]]))
  // Behind those of the schema, and that of the field as it is until now.
  const schemaField = toSchemaField(field, scope, schema.columns.length + 1)
  return {
    until,
    inColumn,
    column: schemaField.column as Column,
    cellsOf: async (records) =>
      new Map(
        records.flatMap((record): [string, Cell][] => {
          const cell = cellOf(schemaField, record)
          return cell === null ? [] : [[record.id, cell]]
        }),
      ),
  }
}
