import type { LoadClient } from './load-client.ts'
import { toPath } from './questions.ts'

/** One long job on a large table. Resolves when the background has finished it, too. */
export interface LongJob {
  readonly name: string
  run(): Promise<void>
}

/** How long a read is repeated, one after another, so that a hundredth of the waits is several of them. */
const repeatedMs = 5_000

const list = 'table/{table}/record'
const statistics = 'table/{table}/aggregation'
const filterSet = [
  { fieldId: 'Number', operator: 'isGreater', value: 900 },
  { fieldId: 'Name', operator: 'contains', value: 'no line' },
]

/** Reads for which all records are looked at, of a table with a name, a number and a kind, which is a number as well. */
const reads = {
  'filtered scan': {
    path: list,
    query: { filter: { conjunction: 'and', filterSet }, take: 100 },
  },
  sort: { path: list, query: { orderBy: [{ fieldId: 'Kind', order: 'desc' }], take: 100 } },
  grouping: {
    path: `${statistics}/group-points`,
    query: { groupBy: [{ fieldId: 'Kind', order: 'asc' }] },
  },
  statistics: {
    path: statistics,
    query: { field: { sum: ['Number'], max: ['Kind'], filled: ['Name'], unique: ['Kind'] } },
  },
  'search miss': { path: list, query: { search: ['nowhere', '', true], take: 100 } },
  export: { path: 'export/{table}', query: {} },
}

/** Each of these reads, again and again for a while. */
export function longReads(client: LoadClient, tableId: string): readonly LongJob[] {
  return Object.entries(reads).map(([name, read]) => ({
    ...{ name, run: repeatRead(client, toPath(read, tableId)) },
  }))
}

/** Reads at the path, again and again for a while. */
export function repeatRead(client: LoadClient, path: string): LongJob['run'] {
  return async () => {
    const endsMs = performance.now() + repeatedMs
    do await client.finish({ method: 'GET', path })
    while (performance.now() < endsMs)
  }
}
