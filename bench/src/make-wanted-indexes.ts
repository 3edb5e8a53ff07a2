import { setTimeout as pause } from 'node:timers/promises'
import type { StorageUnderTest } from './storages.ts'

const lookEveryMs = 100
/** Milliseconds in which the indexes have to be there: the background looks every five seconds for what is due. */
const madeWithinMs = 120_000

export interface WantedIndexes {
  readonly storage: StorageUnderTest
  /** Of our server. */
  readonly folder: string
  readonly tableId: string
  readonly count: number
}

/**
 * Waits until the background has made so many indexes for what queries of a table have asked for. It looks at these every ten
 * minutes; here it is told that it is time.
 */
export async function makeWantedIndexes(wanted: WantedIndexes): Promise<void> {
  const { storage, folder, tableId, count } = wanted
  const ask = (sql: string) => storage.askOurs(folder, sql)
  const [jobs, indexes] = ['jobs', 'table_indexes'].map((name) => storage.ownTableName(name))
  await ask(`update ${jobs} set due_time = '2000-01-01T00:00:00.000Z'
    where kind = 'keep-indexes' returning id`)
  const ready = `select name from ${indexes} where table_id = '${tableId}' and state = 'ready'`
  const deadlineMs = performance.now() + madeWithinMs
  while ((await ask(ready)).length < count) {
    if (performance.now() > deadlineMs) throw new Error('The background has made no such indexes')
    await pause(lookEveryMs)
  }
}
