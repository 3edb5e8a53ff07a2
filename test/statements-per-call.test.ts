import { openEngine } from '@gateleg/engine/open-engine'
import { describe, expect, test } from 'vitest'
import { freshPostgres } from './fresh-postgres.ts'
import { isOn } from './storages.ts'

/** What a statement does, and on what: each takes a part of a millisecond, however little it does. */
function kindOf(sql: string): string {
  const verb = /^\w+/.exec(sql)?.[0] ?? ''
  const name = ['T', 'sessions', 'tables', 'users'].find((one) => sql.includes(`."${one}"`))
  return [verb, name, / for (share|update)/.exec(sql)?.[1]].filter(Boolean).join(' ')
}

describe.runIf(isOn('postgres'))('the statements of a call', () => {
  test('[POSTGRES-27] a call sends no more of them than it must', async () => {
    const sent: string[] = []
    const storage = freshPostgres({ onStatement: (sql) => sent.push(sql) })
    const engine = await openEngine({ storage, jobs: false })
    const statementsOf = async (call: () => Promise<unknown>) => {
      // What is kept in memory is there by the second time.
      await call()
      sent.length = 0
      await call()
      return sent.map(kindOf)
    }
    const user = await engine.public.accounts.signUp({
      email: 'ada@example.com',
      password: 'correct horse 1',
    })
    const { records, ...api } = engine.as({ userId: user.id })
    const [space] = await api.spaces.listSpaces({})
    const base = await api.bases.createBase({ spaceId: space?.id ?? '', name: 'Base' })
    const table = await api.tables.createTable({ baseId: base.id, name: 'T' })
    const tableId = table.id
    const made = await records.createRecords({ tableId, records: [{ fields: {} }] })
    const recordId = made.records[0]?.id ?? ''
    let count = 0
    expect(await statementsOf(() => engine.authenticate(user.accessToken))).toEqual([
      'select sessions',
    ])
    expect(await statementsOf(() => records.getRecord({ tableId, recordId }))).toEqual([
      'select T',
      'select tables',
    ])
    expect(await statementsOf(() => records.listRecords({ tableId, take: 5 }))).toEqual([
      'begin',
      'select tables',
      'select T',
      'rollback',
    ])
    expect(
      await statementsOf(() => records.createRecords({ tableId, records: [{ fields: {} }] })),
    ).toEqual(['begin', 'select tables share', 'select tables', 'insert T', 'commit'])
    expect(
      await statementsOf(() =>
        records.updateRecord({ tableId, recordId, record: { fields: { Name: `${count++}` } } }),
      ),
    ).toEqual([
      'begin',
      'select tables share',
      'select tables',
      'select T update',
      'update T',
      'commit',
    ])
    await engine.close()
  })
})
