import type { Api } from 'gateleg/client'
import type { AirportTable, NewField } from './airport-tables.ts'
import { readCsv } from './read-csv.ts'
import { toCells } from './to-cells.ts'

/** Records that one request creates. */
const recordsPerRequest = 1_000

/** A table that was loaded. */
export interface LoadedTable {
  readonly tableId: string
  readonly records: number
  /** Milliseconds from the first row read to the last record answered. */
  readonly tookMs: number
}

/** Where a table goes. */
export interface Destination {
  readonly baseId: string
  /** The tables that are there already, which others are linked to. */
  readonly tableIds: ReadonlyMap<AirportTable, string>
  onProgress?(records: number): void
}

/** Creates the table in the base and fills it from its file, in the file's order. */
export async function loadTable(
  api: Api,
  table: AirportTable,
  { baseId, tableIds, onProgress }: Destination,
): Promise<LoadedTable> {
  const links = (table.links ?? []).map(({ column, to }): NewField => {
    const foreignTableId = tableIds.get(to) ?? ''
    return { name: column, type: 'link', options: { relationship: 'manyOne', foreignTableId } }
  })
  const fields = [...table.fields, ...links]
  const { name } = table
  const { id: tableId } = await api.tables.createTable({ baseId, name, fields, records: [] })
  const startedMs = performance.now()
  let loaded = 0
  let waiting: { fields: Record<string, unknown> }[] = []
  // With typecast a link takes the title of a record, which is the text of its primary field.
  const typecast = links.length > 0
  const send = async () => {
    const { records } = await api.records.createRecords({ tableId, records: waiting, typecast })
    loaded += records.length
    waiting = []
    onProgress?.(loaded)
  }
  for await (const row of readCsv(table.file)) {
    waiting.push({ fields: toCells(row, fields) })
    if (waiting.length === recordsPerRequest) await send()
  }
  if (waiting.length > 0) await send()
  return { tableId, records: loaded, tookMs: performance.now() - startedMs }
}
