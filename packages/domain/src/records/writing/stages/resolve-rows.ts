import type { WorkRow } from '../../../calculations/evaluation/evaluate-rows.ts'
import { readMembers } from '../../../calculations/evaluation/read-members.ts'
import { typeOf } from '../../../fields/field-values.ts'
import { resolveLinks } from '../../../links/resolve-links.ts'
import type { TableSchema } from '../../../schemas/table-schema.ts'
import type { ReadTx } from '../../../store.ts'
import { mapInTurns } from '../../showing/map-in-turns.ts'
import type { CellPatch, ReplacedColumns } from '../../stored/cell-patch.ts'
import type { StoredRecord } from '../../stored/stored-record.ts'
import type { ReadRows, RecordWrite, ResolvedRows } from '../record-write.ts'
import { addMissingChoices } from './new-choices.ts'
import { resolveFiles } from './resolve-files.ts'

/**
 * Finds what the rows name outside of their records: choices, which are added where values are read
 * leniently, files, and linked records, whose titles get into the cells. Throws validation_error for what
 * isn't there.
 */
export async function resolveRows(write: RecordWrite, read: ReadRows): Promise<ResolvedRows> {
  const { context, graph, options, strategy, budget } = write
  const { rows } = read
  const { tx, table } = context
  if (options.typecast) await addMissingChoices(write, read)
  const loaded = options.typecast ? await graph.get(table.id) : read.loaded
  const { schema } = loaded
  // Most tables: nothing is looked for.
  if (!namesOthers(schema)) return { loaded, existing: strategy.existing, rows }
  const existing = await withStoredLinks(tx, schema, strategy.existing, rows)
  const hold = tx.attachments.attach.bind(tx.attachments)
  const files = await resolveFiles({ ...write, hold }, schema, rows)
  const links = await resolveLinks(context, graph, schema, {
    rows,
    existing,
    locator: options,
    spend: (steps) => budget.spend(steps),
  })
  const replaced = new Map([...files, ...links])
  return { loaded, existing, rows: await replaceColumns(tx, rows, replaced) }
}

/** Whether any cells name what is outside of their record, beside choices. */
function namesOthers({ columns }: TableSchema): boolean {
  return columns.some(({ field, link }) => link !== undefined || typeOf(field).files !== undefined)
}

/**
 * The records with the links that are stored by now in the cells that rows change: while a link field is
 * pending, its cells may show earlier ones.
 */
async function withStoredLinks(
  tx: ReadTx,
  schema: TableSchema,
  existing: readonly StoredRecord[],
  rows: readonly CellPatch[],
): Promise<readonly StoredRecord[]> {
  const pending = schema.columns.filter(({ field, link }) => link && field.isPending)
  if (pending.length === 0 || existing.length === 0) return existing
  const records = existing.map((record): WorkRow => ({ ...record, cells: [...record.cells] }))
  for (const schemaField of pending) {
    const { index } = schemaField.column
    const changed = records.filter((_, row) => rows[row]?.[index] !== undefined)
    await readMembers(tx, [schemaField], changed)
  }
  return records
}

/** The rows with other cells in some columns. A row whose cells are the same stays the one it is. */
async function replaceColumns(
  tx: ReadTx,
  rows: readonly CellPatch[],
  columns: ReplacedColumns,
): Promise<readonly CellPatch[]> {
  if (columns.size === 0) return rows
  return mapInTurns(tx, rows, (row, rowIndex) => {
    let replaced: CellPatch[number][] | undefined
    for (const [index, cells] of columns) {
      if (cells[rowIndex] === row[index]) continue
      replaced ??= [...row]
      replaced[index] = cells[rowIndex]
    }
    return replaced ?? row
  })
}
