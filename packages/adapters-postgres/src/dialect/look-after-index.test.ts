import { type IndexPart, type TableIndex, toIndexKey } from '@gateleg/domain/indexes/table-index'
import type { OpenStorage } from '@gateleg/domain/store'
import {
  maker,
  newBase,
  newField,
  newRecord,
  newTable,
} from '@gateleg/testing/factories/stored-rows'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshPostgres, testConnectionString } from '../../../../test/fresh-postgres.ts'
import { isOn } from '../../../../test/storages.ts'

describe.runIf(isOn('postgres'))('a look at a table of which an index was made', () => {
  const base = newBase(`bseLook${process.pid}`)
  const table = newTable(base.id)
  const [count, name, rest] = [
    newField(table, 1, 'number'),
    newField(table, 2, 'singleLineText'),
    newField(table, 3, 'number'),
  ]
  let storage: OpenStorage
  let client: pg.Client

  beforeEach(async () => {
    storage = await freshPostgres().open({ onCommit: () => {} })
    client = new pg.Client({ connectionString: testConnectionString() })
    await client.connect()
  })

  afterEach(async () => {
    await client.end()
    await storage.close()
  })

  /** The columns of which something is known once an index of the part was made. */
  const known = async (part: Pick<IndexPart, 'fieldId' | 'kind' | 'length'>) => {
    const { store } = storage
    const schema = await store.write(async (tx) => {
      await tx.bases.insert(base)
      await tx.tables.insert(table, [count, name, rest])
      const schema = await tx.fields.schemaOf(table)
      const records = Array.from({ length: 20 }, (_, n) => newRecord(`rec${n}`, [n, `n${n}`, n]))
      await tx.recordWriter.insert(schema, records, maker)
      return schema
    })
    const key = toIndexKey([{ ...part, isDescending: false }])
    const index: TableIndex = {
      ...{ name: `${table.id}_i1`, tableId: table.id, baseId: base.id, key },
      ...{ state: 'wanted', definition: '', usedTime: '2026-01-01', checkedTime: '2026-01-01' },
    }
    const build = store.write((tx) => tx.tableIndexes.build(schema, index), { isStepwise: true })
    expect(await build).toBe(true)
    const { rows } = await client.query<{ name: string }>(
      'select attname::text as name from pg_stats where schemaname = $1 and tablename = $2',
      [base.id, table.dbTableName],
    )
    return rows.map((row) => row.name).sort()
  }
  const asked = ['__auto_number', '__deletion_id', '__id']

  test('[POSTGRES-132] is at the columns of the index alone', async () => {
    const columns = await known({ fieldId: count.id, kind: 'value', length: 0 })
    expect(columns).toEqual([...asked, count.columnName].sort())
  })

  test('[POSTGRES-132] is at all columns where the index has what is made of some', async () => {
    const columns = await known({ fieldId: name.id, kind: 'sort', length: 100 })
    expect(columns).toEqual(expect.arrayContaining([...asked, rest.columnName]))
    const { rows } = await client.query('select from pg_stats where tablename = $1', [
      `${table.id}_i1`,
    ])
    expect(rows).toHaveLength(1)
  })
})
