import type { Api } from '@gateleg/domain/api'
import type { AirportTable, NewField } from './airport-tables.ts'
import { type Cells, cellsOfRecord, cellsOfRow } from './cells-of.ts'
import { questions } from './questions.ts'
import { readCsv } from './read-csv.ts'

/** What the server's records say, and what the file says. */
export interface CheckedAnswer {
  readonly title: string
  readonly found: string
  readonly expected: string
}

/** Records that one page of the walk holds. */
const recordsPerPage = 2_000

/**
 * Walks the table by cursor beside its file, both from start to end. Answers each question about the
 * table twice, from either side, and counts the cells that differ.
 */
export async function checkAnswers(
  api: Api,
  tableId: string,
  table: AirportTable,
): Promise<readonly CheckedAnswer[]> {
  const asked = questions
    .filter((question) => question.table === table)
    .map(({ title, tally }) => ({ title, ofServer: tally(), ofFile: tally() }))
  const records = readRecords(api, tableId)
  let recordsFound = 0
  let cellsThatDiffer = 0
  for await (const row of readCsv(table.file)) {
    const inFile = cellsOfRow(row)
    for (const { ofFile } of asked) ofFile.add(inFile)
    const { value: onServer, done } = await records.next()
    if (done) continue
    recordsFound++
    for (const { ofServer } of asked) ofServer.add(onServer)
    cellsThatDiffer += table.fields.filter((field) => differ(field, inFile, onServer)).length
  }
  for await (const _ of records) recordsFound++
  return [
    answer(`records of ${table.name}`, recordsFound, table.records),
    answer(`cells of ${table.name} that differ`, cellsThatDiffer, 0),
    ...asked.map(({ title, ofServer, ofFile }) => ({
      title,
      found: ofServer.answer(),
      expected: ofFile.answer(),
    })),
  ]
}

async function* readRecords(api: Api, tableId: string): AsyncGenerator<Cells, void> {
  for (let cursor: string | undefined; ; ) {
    const page = await api.records.listRecords({ tableId, take: recordsPerPage, cursor })
    for (const { fields } of page.records) yield cellsOfRecord(fields)
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}

function differ({ name = '', type }: NewField, a: Cells, b: Cells): boolean {
  if (type === 'number') return a.number(name) !== b.number(name)
  if (type === 'checkbox') return a.isChecked(name) !== b.isChecked(name)
  return a.text(name) !== b.text(name)
}

function answer(title: string, found: number, expected: number): CheckedAnswer {
  return { title, found: found.toLocaleString('en'), expected: expected.toLocaleString('en') }
}
