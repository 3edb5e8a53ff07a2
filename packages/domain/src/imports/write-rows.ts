import { assert, DomainError } from '../errors.ts'
import { typeOf } from '../fields/field-values.ts'
import { rederive } from '../fields/operations/derivation/rederive.ts'
import { limits } from '../limits.ts'
import type { RecordsContext } from '../records/reading/records-context.ts'
import { creation } from '../records/writing/creation.ts'
import { writeRecords } from '../records/writing/write-records.ts'
import { SchemaGraph } from '../schemas/schema-graph.ts'
import type { SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { CsvRow } from './csv-reader.ts'
import { type Import, type ImportProgress, inOrderOfLines, type RowIssue } from './import.ts'

/**
 * Makes records of rows, as texts that were sent with `typecast`: rows that the table refuses are left out, and told of.
 * Returns the progress with them. Throws what is no refusal of a row.
 */
export async function writeRows(
  context: RecordsContext,
  { fieldIds, progress }: Pick<Import, 'fieldIds' | 'progress'>,
  rows: readonly CsvRow[],
): Promise<ImportProgress> {
  const tally = new Tally(progress)
  const fitting = rows.filter(({ line, cells }) => {
    const isFitting = cells.slice(fieldIds.length).every((text) => text === '')
    if (!isFitting) tally.leaveOut({ line, message: tooManyCells(cells, fieldIds) })
    return isFitting
  })
  const waiting = [fitting]
  for (let group = waiting.pop(); group; group = waiting.pop()) {
    if (group.length === 0) continue
    const refused = await writeGroup(context, fieldIds, group, tally)
    if (!refused) continue
    const named = rowsNamed(refused.error, refused.schema)
    const [first, second] =
      named.size > 0
        ? [group.filter((_, index) => !named.has(index)), []]
        : [group.slice(0, group.length / 2), group.slice(group.length / 2)]
    for (const [index, issue] of named) {
      const line = group[index]?.line
      if (line !== undefined) tally.leaveOut({ ...issue, line })
    }
    if (named.size === 0 && group.length === 1) {
      tally.leaveOut({ line: group[0]?.line ?? 0, message: refused.error.message })
    } else waiting.push(second ?? [], first ?? [])
    await context.tx.giveWay()
  }
  return tally.progress
}

function tooManyCells(cells: readonly string[], fieldIds: readonly unknown[]): string {
  return `has ${cells.length} cells, while the first row has ${fieldIds.length}`
}

/** Why no row of a group was written. */
interface Refused {
  readonly error: DomainError
  readonly schema: TableSchema
}

/** Writes the rows, all of them or none; what is returned says why it was none. */
async function writeGroup(
  context: RecordsContext,
  fieldIds: Import['fieldIds'],
  rows: readonly CsvRow[],
  tally: Tally,
): Promise<Refused | undefined> {
  // The group before may have added choices to its fields.
  const [table = context.table] = await context.tx.tables.findAll([context.table.id], 'update')
  const before = await context.tx.fields.schemaOf(table)
  const { byKey } = before
  // Fields may have been deleted, or have become others that nobody fills in, since the import began.
  const written = fieldIds.map((id) => (id !== null && byKey.id.get(id)?.isWritable ? id : null))
  const sent = rows.map(({ cells }) => {
    const fields: Record<string, string | null> = {}
    for (const [index, id] of written.entries()) if (id !== null) fields[id] = cells[index] || null
    return { fields }
  })
  const pathOf = (row: number) => ['rows', row]
  try {
    const options = { fieldKeyType: 'id', typecast: true, pathOf } as const
    const { schema, records } = await writeRecords({ ...context, table }, creation, sent, options)
    const columns = fieldIds.map((id, index): ImportedColumn | undefined => {
      if (id === null) return undefined
      const schemaField = schema.byKey.id.get(id)
      return { position: index + 1, schemaField, isWritten: written[index] !== null }
    })
    for (const [index, record] of records.entries()) {
      const row = rows[index]
      if (row) tally.add(row, columns, record.cells)
    }
    return undefined
  } catch (error) {
    if (!(error instanceof DomainError) || !isOfRows(error)) throw error
    return { error, schema: await takeChoicesBack(context, before) }
  }
}

/**
 * Has fields lose the choices again that rows brought which were refused then: those of them that are written bring theirs
 * anew. Answers the schema as it is then.
 */
async function takeChoicesBack(context: RecordsContext, before: TableSchema): Promise<TableSchema> {
  const { tx, ids, now } = context
  const { tableId } = before
  const [table] = await tx.tables.findAll([tableId], 'update')
  assert(table, 'the table is held')
  const graph = new SchemaGraph(tx, 'update')
  const { schema } = await graph.put(table)
  const changed: { tableId: string; fieldId: string }[] = []
  for (const { field } of before.fields) {
    const after = schema.byKey.id.get(field.id)?.field
    if (!after || !typeOf(field).choices) continue
    if (JSON.stringify(after.options) === JSON.stringify(field.options)) continue
    await tx.fields.update(table, after, { ...after, options: field.options })
    changed.push({ tableId, fieldId: field.id })
  }
  if (changed.length === 0) return schema
  await graph.put(await tx.tables.changeSchema(tableId, ids.revision(), now))
  await rederive(context, graph, changed)
  return (await graph.get(tableId)).schema
}

/**
 * Whether rows were refused before any of them was stored. What the storage itself refuses names no place of the request:
 * some rows may be stored by then, so that all is to be undone.
 */
function isOfRows({ code, data }: DomainError): boolean {
  return code === 'validation_error' && data?.issues?.[0]?.path.length !== 0
}

/** The rows that a refusal names, with the first reason for each. */
function rowsNamed(
  { data }: DomainError,
  { byKey }: TableSchema,
): ReadonlyMap<number, Omit<RowIssue, 'line'>> {
  const named = new Map<number, Omit<RowIssue, 'line'>>()
  for (const { path, message } of data?.issues ?? []) {
    const [place, row, , fieldId] = path
    if (place !== 'rows' || typeof row !== 'number' || named.has(row)) continue
    const field = byKey.id.get(String(fieldId))?.field.name
    named.set(row, { ...(field !== undefined && { field }), message })
  }
  return named
}

/** A column of a file that had a field when its import began. */
interface ImportedColumn {
  /** Counted from 1. */
  readonly position: number
  /** Undefined where the field was deleted. */
  readonly schemaField: SchemaField | undefined
  readonly isWritten: boolean
}

/** Why the text of a cell is lost, given what the cell holds; undefined where it isn't. */
function lossOf(
  { position, schemaField, isWritten }: ImportedColumn,
  cells: readonly unknown[],
): Omit<RowIssue, 'line'> | undefined {
  if (!schemaField || !isWritten) {
    const what = schemaField ? "can't be written any more" : 'was deleted'
    return { message: `the field of column ${position} ${what}: the cell is left out` }
  }
  const { column, rules, field } = schemaField
  if (!column || cells[column.index] !== null) return undefined
  // A box that isn't checked is the empty cell.
  if (rules.form.item.kind === 'boolean') return undefined
  return { field: field.name, message: `can't be read as ${field.type}: the cell is empty` }
}

/** Counts what becomes of rows. */
class Tally {
  #created = 0
  #leftOut = 0
  #emptied = 0
  #issues: RowIssue[] = []
  readonly #before: ImportProgress

  constructor(before: ImportProgress) {
    this.#before = before
  }

  leaveOut(issue: RowIssue): void {
    this.#leftOut++
    this.#note(issue)
  }

  /** A row that became a record, and the cells that its texts became. */
  add(
    { line, cells: texts }: CsvRow,
    columns: readonly (ImportedColumn | undefined)[],
    cells: readonly unknown[],
  ): void {
    this.#created++
    for (const [index, column] of columns.entries()) {
      if (!column || (texts[index] ?? '').trim() === '') continue
      const loss = lossOf(column, cells)
      if (!loss) continue
      this.#emptied++
      this.#note({ line, ...loss })
    }
  }

  get progress(): ImportProgress {
    const { rowsCreated, rowsLeftOut, cellsEmptied, issues, ...rest } = this.#before
    return {
      ...rest,
      rowsCreated: rowsCreated + this.#created,
      rowsLeftOut: rowsLeftOut + this.#leftOut,
      cellsEmptied: cellsEmptied + this.#emptied,
      issues: [...issues, ...inOrderOfLines(this.#issues)].slice(0, limits.importIssues),
    }
  }

  /** Rows are refused in any order, and those that are told of are the first ones. */
  #note(issue: RowIssue): void {
    this.#issues.push(issue)
    if (this.#issues.length > 2 * limits.importIssues) {
      this.#issues = inOrderOfLines(this.#issues).slice(0, limits.importIssues)
    }
  }
}
