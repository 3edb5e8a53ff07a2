import type { Actor } from '../access/actor.ts'
import { invalidAt } from '../errors.ts'
import { toFieldOutput } from '../fields/field-output.ts'
import type { FileUrls } from '../file-urls.ts'
import { limits } from '../limits.ts'
import { toldValue } from '../records/groups/group-points.ts'
import { readFound } from '../records/pages/read-found.ts'
import { ValuesWithin } from '../records/showing/answer-size.ts'
import { type CellFormat, outputsOf, type RecordOutput } from '../records/showing/record-output.ts'
import type { Column, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'
import type { ChartOutput } from './chart-output.ts'
import { type ChartColumn, type ChartQuery, type FoundRow, isSummary } from './chart-query.ts'
import { showStatistic } from './show-statistic.ts'

/** How a chart is shown, and to whom. */
interface ChartShape {
  readonly actor: Actor
  readonly publicUrl: string | undefined
  readonly fileUrls?: FileUrls | undefined
  readonly cellFormat: CellFormat
  /** Where the query stands in what was sent or stored. */
  readonly path: readonly (string | number)[]
}

/** The rows of a chart as callers see them. Throws validation_error where they take too much. */
export async function showChart(
  tx: ReadTx,
  query: ChartQuery,
  found: readonly FoundRow[],
  shape: ChartShape,
): Promise<ChartOutput> {
  const {
    columns,
    rows: { tables },
  } = query
  const outputs: ReadonlyMap<string, RecordOutput>[] = []
  for (const [table, schema] of tables.entries()) {
    outputs.push(await outputsOfTable(tx, schema, table, { query, found, shape }))
  }
  const shownIn = (row: FoundRow, { field: { own, table }, statistic }: ChartColumn): unknown => {
    const asked = statistic === undefined ? undefined : query.statistics[statistic]
    if (asked && statistic !== undefined) {
      return showStatistic(
        own,
        asked.statistic,
        row.statistics[statistic] ?? null,
        shape.cellFormat,
      )
    }
    const output = outputs[table]?.get(row.recordIds[table] ?? '')
    if (!output) return null
    // A group shows as much of its dates as they have in common.
    const isTold = isSummary(query) && shape.cellFormat === 'json'
    return isTold ? toldValue(own, output) : (output.fields[own.field.id] ?? null)
  }
  const within = new ValuesWithin<Record<string, unknown>>(tx, limits.chartLength)
  for (const row of found) {
    const shown = Object.fromEntries(columns.map((column) => [column.column, shownIn(row, column)]))
    if (!(await within.add(shown))) throw tooLong(shape)
  }
  return { rows: within.values, columns: columns.map((column) => showColumn(column, tables)) }
}

interface Shown {
  readonly query: ChartQuery
  readonly found: readonly FoundRow[]
  readonly shape: ChartShape
}

/** The records of a table that rows show, by id, each once, with the cells of the fields that are shown of it. */
async function outputsOfTable(
  tx: ReadTx,
  schema: TableSchema,
  table: number,
  { query, found, shape }: Shown,
): Promise<ReadonlyMap<string, RecordOutput>> {
  const shown = query.columns.filter(
    ({ field, statistic }) => field.table === table && statistic === undefined,
  )
  const outputs = new Map<string, RecordOutput>()
  if (shown.length === 0) return outputs
  const fields = shown.map(({ field }) => field.own)
  const ids = new Set(found.flatMap(({ recordIds }) => recordIds[table] ?? []))
  const source = readFound(
    tx,
    schema,
    [...ids].map((id) => ({ id })),
    columnsOf(fields),
  )
  const projection = new Set(fields.map(({ field }) => field.id))
  const within = new ValuesWithin<RecordOutput>(tx, limits.chartLength)
  for (;;) {
    const { value: records, done } = await source.next()
    if (done && records) throw tooLong(shape)
    if (done) return outputs
    const { show } = await outputsOf(tx, schema, records, {
      fieldKeyType: 'id',
      projection,
      ...shape,
    })
    for (const record of records) {
      const output = await show(tx, record)
      if (!(await within.add(output))) throw tooLong(shape)
      outputs.set(output.id, output)
    }
  }
}

function columnsOf(fields: readonly SchemaField[]): readonly Column[] {
  return fields.flatMap(({ column }) => column ?? [])
}

function showColumn(
  { name, column, field: { own, table }, statistic }: ChartColumn,
  tables: readonly TableSchema[],
): ChartOutput['columns'][number] {
  const field = toFieldOutput(own.field)
  const { lookupOptions } = field
  const baseId = lookupOptions?.baseId ?? tables[table]?.baseId
  const fieldSource = {
    ...field,
    ...(lookupOptions && { lookupOptions: { ...lookupOptions, baseId } }),
    isConditionalLookup: false,
  }
  const type = statistic === undefined ? 'field' : 'aggregation'
  return { name, column, type, fieldSource: fieldSource as typeof fieldSource & typeof field }
}

function tooLong({ path }: ChartShape) {
  const most = `must answer at most ${limits.chartLength} bytes`
  return invalidAt([...path, 'select'], `${most}: select fewer columns, or set a smaller limit`)
}
