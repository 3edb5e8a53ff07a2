import type { Bench } from '../benchmark.ts'
import type { Ours } from '../contenders.ts'
import { createFilledTable, createTableOf, type FilledTable } from '../filled-table.ts'
import type { LoadClient } from '../load-client.ts'
import { requireCell } from '../require-cell.ts'
import type { NewField } from '../sample-table.ts'
import { type FieldState, waitUntilDone } from '../wait-until-done.ts'

const repetitions = 20
const fieldCount = 20
const manyRecords = 10_000
/** Records that the links made of texts lead to. */
const titleCount = 1_000

/**
 * Formulas in a table of 10,000 records and 20 fields, from the request until every record has its value:
 * one field, then five, one request after the other. Each repetition has a table of its own, because
 * columns of deleted fields stay. The first one warms up.
 */
export async function timeFormulas(ours: Ours, client: LoadClient, say: Bench['say']) {
  const one: number[] = []
  const five: number[] = []
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    say(`formulas on ${manyRecords} records, ${repetition} of ${repetitions}`)
    const table = await createFilledTable(ours, { fields: fieldCount, records: manyRecords })
    one.push(await addFormulas(client, table, ['{Field 0} & ": " & {Field 1}']))
    five.push(
      await addFormulas(client, table, [
        '{Field 1} * 1.19 + {Field 6}',
        'UPPER({Field 0})',
        'IF({Field 3}, "yes", "no")',
        'YEAR({Field 4})',
        '{Field 2} & " / " & {Field 7}',
      ]),
    )
    await ours.api.tables.deleteTable({ baseId: ours.baseId, tableId: table.tableId })
  }
  return { 'formula calc 10k': one.slice(1), '5 formula fields on 10k': five.slice(1) }
}

async function addFormulas(
  client: LoadClient,
  { tableId }: FilledTable,
  expressions: readonly string[],
): Promise<number> {
  let tookMs = 0
  for (const expression of expressions) {
    const body = JSON.stringify({ type: 'formula', options: { expression } })
    const startedMs = performance.now()
    const answer = await client.sendForJson<FieldState>({
      method: 'POST',
      path: `/api/table/${tableId}/field`,
      body,
    })
    tookMs += performance.now() - startedMs
    if (answer.isPending) throw new Error('So few records are worked out at once')
  }
  return tookMs
}

/**
 * A text of 10,000 records is made a link, shown from the other end, too: each text is the title of one of
 * 1,000 records of another table. These are more records than one write computes, so the time ends when
 * neither end is pending. Each repetition has tables of its own; the first one warms up.
 */
export async function timeConversions(ours: Ours, client: LoadClient, say: Bench['say']) {
  const times: number[] = []
  const text = (name: string): NewField => ({ name, type: 'singleLineText' })
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    say(`text to link, ${repetition} of ${repetitions}`)
    const foreign = await createTableOf(ours, {
      name: 'Titles',
      fields: [text('Name')],
      records: Array.from({ length: titleCount }, (_, n) => ({ fields: { Name: `Title ${n}` } })),
    })
    const { tableId, recordIds } = await createTableOf(ours, {
      name: 'Texts',
      fields: [text('Name'), text('Text')],
      records: Array.from({ length: manyRecords }, (_, n) => ({
        fields: { Name: `Record ${n}`, Text: `Title ${n % titleCount}` },
      })),
    })
    const [, field] = await ours.api.fields.listFields({ tableId })
    const options = { relationship: 'manyOne', foreignTableId: foreign.tableId }
    const path = `/api/table/${tableId}/field/${field?.id}`
    const body = JSON.stringify({ type: 'link', options })
    const startedMs = performance.now()
    const { options: made } = await client.sendForJson<{
      readonly options: { readonly symmetricFieldId: string }
    }>({ method: 'PUT', path: `${path}/convert`, body })
    await waitUntilDone(client, path)
    await waitUntilDone(client, `/api/table/${foreign.tableId}/field/${made.symmetricFieldId}`)
    times.push(performance.now() - startedMs)
    const last = { tableId, recordId: recordIds.at(-1), fieldName: 'Text' }
    const title = `Title ${(manyRecords - 1) % titleCount}`
    await requireCell(ours, last, { id: foreign.recordIds.at(-1), title })
    for (const id of [tableId, foreign.tableId]) {
      await ours.api.tables.deleteTable({ baseId: ours.baseId, tableId: id })
    }
  }
  return { 'convert text -> link 10k': times.slice(1) }
}
