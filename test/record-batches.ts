import type { Api } from '@gateleg/domain/api'
import { expect } from 'vitest'

/** Records that one request creates, as they must be found again: all of them, or none. */
export interface Batch {
  readonly name: string
  readonly size: number
}

interface Found {
  readonly id: string
  readonly autoNumber?: number | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

/** Makes a table for batches in a base of its own. */
export async function createBatchTable(api: Api): Promise<string> {
  const [space] = await api.spaces.listSpaces({})
  const base = await api.bases.createBase({ spaceId: space?.id ?? '' })
  const table = await api.tables.createTable({
    baseId: base.id,
    fields: [
      { name: 'Batch', type: 'singleLineText' },
      { name: 'Size', type: 'number' },
      { name: 'Place', type: 'number' },
    ],
    records: [],
  })
  return table.id
}

/** Creates the records of the batch in one request; answers their ids. */
export async function createBatch(api: Api, tableId: string, batch: Batch) {
  const { records } = await api.records.createRecords({ tableId, records: recordsOf(batch) })
  return records.map(({ id }) => id)
}

function recordsOf({ name, size }: Batch) {
  return Array.from({ length: size }, (_, place) => ({
    fields: { Batch: name, Size: size, Place: place },
  }))
}

/** All records of a table, in their order. */
export async function readAllRecords(api: Api, tableId: string): Promise<readonly Found[]> {
  const all: Found[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await api.records.listRecords({ tableId, take: 2_000, cursor })
    all.push(...page.records)
    if (page.nextCursor === null) return all
    cursor = page.nextCursor
  }
}

/** Every batch that was answered is there, with the ids that were answered, and there is no half of one. */
export async function expectWholeBatches(
  api: Api,
  tableId: string,
  acknowledged: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const records = await readAllRecords(api, tableId)
  const batches = Map.groupBy(records, ({ fields }) => String(fields.Batch))
  for (const [name, found] of batches) {
    const size = found[0]?.fields.Size as number
    expect(found.map(({ fields }) => fields)).toEqual(
      recordsOf({ name, size }).map(({ fields }) => fields),
    )
  }
  for (const [name, ids] of acknowledged) {
    expect(batches.get(name)?.map(({ id }) => id)).toEqual(ids)
  }
}
