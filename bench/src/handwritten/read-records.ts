import type { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import type { SentRecord } from './rows.ts'

const recordsAtOnce = 1_000

/** The rows of a CSV file as it arrives, so many at once. An empty text is no value; a number stays a text, which SQL reads. */
export async function* readRecords(file: Readable): AsyncGenerator<readonly SentRecord[]> {
  const rows = file.pipe(parse({ columns: true, cast: (text) => (text === '' ? undefined : text) }))
  file.on('error', (error) => rows.destroy(error))
  let records: SentRecord[] = []
  for await (const fields of rows) {
    records.push({ fields })
    if (records.length < recordsAtOnce) continue
    yield records
    records = []
  }
  if (records.length > 0) yield records
}
