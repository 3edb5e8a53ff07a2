import { toCanonicalJson } from '../../../bases/canonical-form.ts'
import { assert, DomainError } from '../../../errors.ts'
import { scanRecords } from '../../../records/reading/scan-records.ts'
import { cellOf } from '../../../records/stored/cell-of.ts'
import type { NumberRange } from '../../../records/stored/number-range.ts'
import type { StoredRecord } from '../../../records/stored/stored-record.ts'
import { toChoiceIds } from '../../../schemas/choice-names.ts'
import type { Column, SchemaField, TableSchema } from '../../../schemas/table-schema.ts'
import type { ReadTx, WriteTx } from '../../../store.ts'
import { CellSum } from '../../../undo/cell-sum.ts'
import type { Cell } from '../../cell.ts'
import type { Field } from '../../field.ts'
import { type KeepContext, keepValues } from './keep-values.ts'

/**
 * What is noted of the cells that the background makes: their sum, in records up to a number. Deleted ones don't count, as in what
 * is noted of a conversion that is one write: where one was deleted or restored since, the cells are others.
 */
interface CellNote {
  readonly sum: string
  readonly until: number
  /** Whether choices count by their ids, which stay when they get other names: those of a copy, which makes none from its cells. */
  readonly byIds?: boolean
}

/** A cell of a record, as a conversion made it. */
interface MadeCell {
  readonly recordId: string
  readonly cell: Cell | null
}

/** Begins to note what the cells of a field become, those of records up to a number, some of which are made already. */
export async function beginCellNote(
  context: KeepContext,
  { tableId, id: fieldId }: Pick<Field, 'tableId' | 'id'>,
  note: Omit<CellNote, 'sum'> & { readonly id: string; readonly sum: CellSum },
): Promise<void> {
  const { id, until, sum, byIds = false } = note
  await keepValues(context, { id, tableId, fieldId })
  await putNote(context.tx, id, { sum: sum.told(), until, ...(byIds && { byIds }) })
}

/** Notes cells that the background made in a range of records, unless nobody asks for the note any more. */
export async function addToCellNote(
  tx: WriteTx,
  schema: TableSchema,
  id: string,
  { cells, range }: { readonly cells: readonly MadeCell[]; readonly range: NumberRange },
): Promise<void> {
  const note = await findNote(tx, id)
  if (!note) return
  const sum = new CellSum(note.sum)
  const cellsById = new Map(cells.map(({ recordId, cell }) => [recordId, cell]))
  for await (const records of livingIn(tx, schema, range)) {
    for (const record of records) addTo(sum, record, cellsById.get(record.id) ?? null)
    await tx.giveWay()
  }
  await putNote(tx, id, { ...note, sum: sum.told() })
}

/** Notes the cells that a field has in a range of records, likewise. */
export async function addColumnToNote(
  tx: WriteTx,
  schema: TableSchema,
  id: string,
  { schemaField, range }: { readonly schemaField: SchemaField; readonly range: NumberRange },
): Promise<void> {
  const note = await findNote(tx, id)
  if (!note) return
  const { column, toCounted } = counted(schema, schemaField, note)
  const sum = await sumOfColumn(tx, schema, column, range, new CellSum(note.sum), toCounted)
  await putNote(tx, id, { ...note, sum: sum.told() })
}

/** The sum of the cells in a column, in a range of records, on top of another sum. */
export async function sumOfColumn(
  tx: ReadTx,
  schema: TableSchema,
  column: Column,
  range: NumberRange,
  sum: CellSum = new CellSum(),
  toCounted: (cell: Cell | null) => unknown = (cell) => cell,
): Promise<CellSum> {
  for await (const records of livingIn(tx, schema, range, [column])) {
    for (const record of records) addTo(sum, record, toCounted(record.cells[column.index] ?? null))
    await tx.giveWay()
  }
  return sum
}

/** The living records of a range, with the cells of some columns. */
async function* livingIn(
  tx: ReadTx,
  schema: TableSchema,
  { after, until }: NumberRange,
  columns: readonly Column[] = [],
): AsyncGenerator<readonly StoredRecord[]> {
  for await (const { records } of scanRecords(tx, schema, { after, columns, parts: 'keys' })) {
    const inRange = records.filter(({ autoNumber }) => autoNumber <= until)
    yield inRange
    if (inRange.length < records.length) return
  }
}

/** The column of a field, and what counts of its cells. */
function counted(schema: TableSchema, { field, column }: SchemaField, { byIds }: CellNote) {
  assert(column, 'what the background makes has a column')
  const toIds = byIds ? toChoiceIds(schema) : undefined
  return { column, toCounted: (cell: Cell | null) => toIds?.(field.id, cell) ?? cell }
}

function addTo(sum: CellSum, { id }: Pick<StoredRecord, 'id'>, cell: unknown): void {
  if (cell !== null) sum.add(id, toCanonicalJson(cell))
}

/**
 * Whether the cells of a field are those that were noted, and records that came later have none. Throws conflict where the
 * note isn't kept any more.
 */
export async function areAsNoted(
  tx: ReadTx & Pick<WriteTx, 'keptValues'>,
  schema: TableSchema,
  schemaField: SchemaField,
  id: string,
): Promise<boolean> {
  const note = await findNote(tx, id)
  const { field } = schemaField
  if (!note) {
    const message = `It is not known any more whether the cells of "${field.name}" were changed since`
    throw new DomainError('conflict', message)
  }
  const { column, toCounted } = counted(schema, schemaField, note)
  const range = { after: 0, until: note.until }
  const sum = await sumOfColumn(tx, schema, column, range, new CellSum(), toCounted)
  if (sum.told() !== note.sum) return false
  const after = { columns: [column], after: note.until }
  for await (const { records } of scanRecords(tx, schema, after)) {
    if (records.some((record) => cellOf(schemaField, record) !== null)) return false
    await tx.giveWay()
  }
  return true
}

async function findNote(
  { keptValues }: Pick<WriteTx, 'keptValues'>,
  id: string,
): Promise<CellNote | undefined> {
  const content = await keptValues.partOf(id, 0)
  return content === undefined ? undefined : (JSON.parse(content) as CellNote)
}

async function putNote({ keptValues }: WriteTx, id: string, note: CellNote): Promise<void> {
  await keptValues.putPart(id, 0, JSON.stringify(note))
}
