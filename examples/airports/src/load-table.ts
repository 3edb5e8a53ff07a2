import type { Api } from '@gateleg/domain/api'
import type { AirportTable } from './airport-tables.ts'
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

/** Creates the table in the base and fills it from its file, in the file's order. */
export async function loadTable(
  api: Api,
  baseId: string,
  { name, file, fields }: AirportTable,
  onProgress: (records: number) => void,
): Promise<LoadedTable> {
  const { id: tableId } = await api.tables.createTable({
    baseId,
    name,
    fields: [...fields],
    records: [],
  })
  const startedMs = performance.now()
  let loaded = 0
  let waiting: { fields: Record<string, unknown> }[] = []
  const send = async () => {
    const { records } = await api.records.createRecords({ tableId, records: waiting })
    loaded += records.length
    waiting = []
    onProgress(loaded)
  }
  for await (const row of readCsv(file)) {
    waiting.push({ fields: toCells(row, fields) })
    if (waiting.length === recordsPerRequest) await send()
  }
  if (waiting.length > 0) await send()
  return { tableId, records: loaded, tookMs: performance.now() - startedMs }
}
