import type { Ours } from './contenders.ts'
import { sampleFields, sampleRecords } from './sample-table.ts'

/** Records per request while filling: few requests, and none too large. */
const recordsPerRequest = 5_000

/** Creates a sample table with so many fields and records; returns its id and those of its records. */
export async function createFilledTable(
  { api, baseId }: Ours,
  { fields, records }: { readonly fields: number; readonly records: number },
): Promise<{ readonly tableId: string; readonly recordIds: readonly string[] }> {
  const { id: tableId } = await api.tables.createTable({
    baseId,
    name: `${fields} fields, ${records} records`,
    fields: sampleFields(fields),
    records: [],
  })
  const recordIds: string[] = []
  for (let first = 0; first < records; first += recordsPerRequest) {
    const count = Math.min(recordsPerRequest, records - first)
    const created = await api.records.createRecords({
      tableId,
      records: sampleRecords(fields, first, count),
    })
    for (const { id } of created.records) recordIds.push(id)
  }
  return { tableId, recordIds }
}
