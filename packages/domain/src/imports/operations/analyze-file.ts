import { z } from 'zod'
import { requireUserId, signedIn } from '../../access/guard.ts'
import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { timeZoneSchema } from '../../values/dates/time-zone-schema.ts'
import { toColumnNames } from '../column-names.ts'
import type { CsvFile, CsvRow } from '../csv-reader.ts'
import { guessColumns } from '../guess-columns.ts'
import { importTypes } from '../guess-field.ts'
import { fileShape } from '../import-shape.ts'
import { headerOf, lengthOf } from '../receive-rows.ts'

const sheetName = 'Sheet1'

/** Says what the columns of a file seem to hold, by its first rows: no more of it is read, and nothing is kept. */
export const analyzeFile = defineWrite({
  summary: 'Analyze the columns of a CSV file',
  input: z.object({
    ...fileShape,
    tz: timeZoneSchema.default('UTC').describe('The time zone of its dates'),
  }),
  output: z.object({
    worksheets: z
      .record(
        z.string(),
        z.object({
          name: z.string().describe('What the sheet is called'),
          columns: z
            .array(
              z.object({
                name: z.string().describe('A name for the field, that no other one has'),
                type: z.enum(importTypes).describe('The type that fits what was read'),
              }),
            )
            .describe('In the order of the file'),
        }),
      )
      .describe('The sheets by name: a CSV file has one'),
    encoding: z.string().describe('How the file is encoded'),
    delimiter: z.string().describe('What separates its cells'),
    rowsRead: z.number().describe('Rows that the guess is made of, without the header'),
  }),
  access: signedIn(),
  needs: ['csvReader'],
  prepare: async ({ csvReader, actor }, { content, excludeFirstRow, tz, ...form }) => {
    requireUserId(actor)
    const file = await csvReader.open(content, form)
    const { header, sample } = await readSample(file, excludeFirstRow)
    const names = toColumnNames(header)
    const guessed = guessColumns(header.length, sample, tz)
    const columns = guessed.map(({ type }, index) => ({ name: names[index] ?? '', type }))
    const { encoding, delimiter } = file
    return {
      worksheets: { [sheetName]: { name: sheetName, columns } },
      encoding,
      delimiter,
      rowsRead: sample.length,
    }
  },
  run: async ({ prepared }) => prepared,
})

/** The header of a file and its first rows, as many as are held at once, with no more cells than the header has. */
async function readSample({ rows }: CsvFile, isHeader: boolean) {
  const sample: CsvRow[] = []
  let header: readonly string[] | undefined
  let length = 0
  for await (const some of rows) {
    for (const row of some) {
      length += lengthOf(row)
      const isFirst = header === undefined
      header ??= headerOf(row, isHeader)
      if (isFirst && isHeader) continue
      sample.push({ line: row.line, cells: row.cells.slice(0, header.length) })
      const isFull = sample.length >= limits.importSampleRows || length >= limits.importLengthAtOnce
      if (isFull) return { header, sample }
    }
  }
  if (!header) throw invalidAt(['content'], 'must have a row: the file is empty')
  return { header, sample }
}
