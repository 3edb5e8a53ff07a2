import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'

/** One row of a file, by the names of its header; an empty text where nothing is known. */
export type CsvRow = Readonly<Record<string, string>>

/** The rows of a gzip-compressed CSV file, one at a time: a file of any size takes little memory. */
export async function* readCsv(file: URL): AsyncGenerator<CsvRow> {
  const source = createReadStream(file)
  const rows = source
    .on('error', (error) => rows.destroy(error))
    .pipe(createGunzip())
    .on('error', (error) => rows.destroy(error))
    .pipe(parse({ columns: true }))
  for await (const row of rows) yield row as CsvRow
}
