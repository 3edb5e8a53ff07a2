import type { Handwritten, Ours } from './contenders.ts'
import type { Column } from './handwritten/rows.ts'
import { LoadClient } from './load-client.ts'
import { type NewField, type SampleRecord, sampleFields, sampleRecords } from './sample-table.ts'

/** Records per request while filling: few requests, and none too large. */
const recordsPerRequest = 5_000

/** A table of ours that was filled: its id, and those of its records. */
export interface FilledTable {
  readonly tableId: string
  readonly recordIds: readonly string[]
}

/** Creates a sample table with so many fields and records. */
export function createFilledTable(
  ours: Ours,
  { fields, records }: { readonly fields: number; readonly records: number },
): Promise<FilledTable> {
  return createTableOf(ours, {
    name: `${fields} fields, ${records} records`,
    fields: sampleFields(fields),
    records: sampleRecords(fields, 0, records),
  })
}

/** Creates a table of ours with these fields and records. */
export async function createTableOf(
  { api, baseId }: Ours,
  table: {
    readonly name: string
    readonly fields: readonly NewField[]
    readonly records: readonly SampleRecord[]
  },
): Promise<FilledTable> {
  const { name, fields, records } = table
  const { id: tableId } = await api.tables.createTable({
    baseId,
    name,
    fields: [...fields],
    records: [],
  })
  const recordIds: string[] = []
  for (const some of inRequests(records)) {
    const created = await api.records.createRecords({ tableId, records: [...some] })
    for (const { id } of created.records) recordIds.push(id)
  }
  return { tableId, recordIds }
}

/** Creates a handwritten table with these columns and records; answers its name. */
export async function createHandwrittenTable(
  handwritten: Handwritten,
  columns: readonly Column[],
  records: readonly SampleRecord[],
): Promise<string> {
  const table = await handwritten.createTable(columns)
  const client = new LoadClient({ url: handwritten.url, connections: 1 })
  for (const some of inRequests(records)) {
    const body = JSON.stringify({ records: some })
    await client.send({ method: 'POST', path: `/table/${table}/record`, body })
  }
  await client.close()
  return table
}

function* inRequests(records: readonly SampleRecord[]): Generator<readonly SampleRecord[]> {
  for (let first = 0; first < records.length; first += recordsPerRequest) {
    yield records.slice(first, first + recordsPerRequest)
  }
}
