import type { Api } from '@gateleg/domain/api'
import { limits } from '@gateleg/domain/limits'
import type { Attack, Attacker, Target } from '../attack.ts'
import { isRefused } from '../fill-table.ts'
import { waitForFields } from '../wait-for-fields.ts'

/** Records that are looked up, all by the same link. */
const sourceCount = 4

/** Fields of the table: a row of PostgreSQL has no room for more long cells. */
const most = { sqlite: limits.fieldsPerTable, postgres: 430 }

/** What the texts consist of: letters of one byte and of three, and what JSON writes in two bytes and in six. */
const letters = ['a', '語', '"', '\u0001']

export const wideLookups: Attack = {
  name: 'wide-lookups',
  about: 'records of 500 lookups as long as can be: worked out, listed, read and hashed by several',
  run: async (target) => {
    const attackers = [await target.newAttacker('looker'), await target.newAttacker('helper')]
    for (const letter of target.isShort ? letters.slice(1, 2) : letters) {
      await Promise.all(attackers.map((attacker) => lookUp(target, attacker, letter)))
    }
  },
}

/** Makes two records as large as they can be, and reads them in several ways at once. */
async function lookUp(
  { send, say, storage }: Target,
  attacker: Attacker,
  letter: string,
): Promise<void> {
  const { api, baseId, token } = attacker
  const { longCellBytes, middlingCellBytes, shortCellBytes } = limits
  const source = await makeSource(api, baseId, letter, {
    Long: longCellBytes,
    Middling: middlingCellBytes,
    Short: shortCellBytes,
  })
  const holder = await makeHolder(api, baseId, source, most[storage.name])
  const ids = source.records.map(({ id }) => id)
  const records = holder.records.map(({ id }) => ({ id, fields: { Link: ids } }))
  await isRefused(api.records.updateRecords({ tableId: holder.id, records }))
  await waitForFields(api, holder.id, 15)
  const paths = [
    `/api/table/${holder.id}/record?take=10`,
    `/api/table/${holder.id}/record/${holder.records[0]?.id}`,
    `/api/base/${baseId}/verify`,
  ]
  const headers = { authorization: `Bearer ${token}` }
  const read = () => Promise.all(paths.map((path) => send({ method: 'GET', path, headers })))
  // All of them are computed once more, while they are read.
  const fields = Object.fromEntries(
    Object.entries(source.records[0]?.fields ?? {}).map(([name, text]) => [
      name,
      `${text}`.slice(1),
    ]),
  )
  const changing = api.records.updateRecord({
    tableId: source.id,
    recordId: ids[0] ?? '',
    record: { fields },
  })
  const answers = await Promise.all([read(), read(), isRefused(changing)])
  await waitForFields(api, holder.id, 15)
  say(`${JSON.stringify(letter)}: ${answers}, ${await Promise.all([read(), read()])}`)
}

/** Records with a text for each room: so many of its letters that those of all records fill it, as JSON. */
function makeSource(
  api: Api,
  baseId: string,
  letter: string,
  rooms: Readonly<Record<string, number>>,
) {
  const letterBytes = Buffer.byteLength(JSON.stringify(letter)) - 2
  const textOf = (room: number) => {
    const letters = Math.floor((room / sourceCount - 10) / letterBytes)
    const most = Math.floor((limits.cellBytes - 10) / Buffer.byteLength(letter))
    return letter.repeat(Math.min(letters, most))
  }
  const fields = Object.fromEntries(
    Object.entries(rooms).map(([name, room]) => [name, textOf(room)]),
  )
  return api.tables.createTable({
    baseId,
    fields: Object.keys(rooms).map((name) => ({ type: 'longText' as const, name })),
    records: Array.from({ length: sourceCount }, () => ({ fields })),
  })
}

type Source = Awaited<ReturnType<typeof makeSource>>

/** Two records with lookups in every place of a table; all in one call, as each field rewrites its records. */
function makeHolder(api: Api, baseId: string, source: Source, fieldCount: number) {
  const { longCellFields, middlingCellFields } = limits
  const linkFieldId = `fldLink0000${source.id.slice(-8)}`
  const options = { relationship: 'manyMany' as const, foreignTableId: source.id, isOneWay: true }
  const [long, middling, short] = source.fields
  const lookups = Array.from({ length: fieldCount - 2 }, (_, index) => {
    const place = index + 2
    const isLong = place < longCellFields
    const read = isLong ? long : place < middlingCellFields ? middling : short
    const lookupOptions = {
      linkFieldId,
      foreignTableId: source.id,
      lookupFieldId: read?.id ?? '',
    }
    return { type: 'longText' as const, name: `L${place}`, isLookup: true as const, lookupOptions }
  })
  return api.tables.createTable({
    baseId,
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'link', id: linkFieldId, name: 'Link', options },
      ...lookups,
    ],
    records: [{ fields: { Name: 'a' } }, { fields: { Name: 'b' } }],
  })
}
