import type { Api } from 'gateleg/client'
import type { AirportTable, NewField } from './airport-tables.ts'
import { type Cells, cellsOfRecord, cellsOfRow } from './cells-of.ts'
import { questions } from './questions.ts'
import { readCsv } from './read-csv.ts'
import { readRecords } from './read-records.ts'

/** What the server's records say, and what the file says. */
export interface CheckedAnswer {
  readonly title: string
  readonly found: string
  readonly expected: string
}

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
  const links = (table.links ?? []).map(({ column }) => ({ name: column, type: 'link' as const }))
  const fields = [...table.fields, ...links]
  const records = readRecords(api, tableId)
  let recordsFound = 0
  let cellsThatDiffer = 0
  for await (const row of readCsv(table.file)) {
    const inFile = cellsOfRow(row)
    for (const { ofFile } of asked) ofFile.add(inFile)
    const { value: record, done } = await records.next()
    if (done) continue
    const onServer = cellsOfRecord(record)
    recordsFound++
    for (const { ofServer } of asked) ofServer.add(onServer)
    cellsThatDiffer += fields.filter((field) => differ(field, inFile, onServer)).length
  }
  for await (const _ of records) recordsFound++
  return [
    toAnswer(`records of ${table.name}`, recordsFound, table.records),
    toAnswer(`cells of ${table.name} that differ`, cellsThatDiffer, 0),
    ...asked.map(({ title, ofServer, ofFile }) => ({
      title,
      found: ofServer.answer(),
      expected: ofFile.answer(),
    })),
  ]
}

function differ({ name = '', type }: Pick<NewField, 'name' | 'type'>, a: Cells, b: Cells): boolean {
  if (type === 'number') return a.number(name) !== b.number(name)
  if (type === 'checkbox') return a.isChecked(name) !== b.isChecked(name)
  return a.text(name) !== b.text(name)
}

/** An answer that is a number. */
export function toAnswer(title: string, found: number, expected: number): CheckedAnswer {
  return { title, found: found.toLocaleString('en'), expected: expected.toLocaleString('en') }
}
