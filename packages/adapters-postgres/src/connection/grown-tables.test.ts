import { limits } from '@gateleg/domain/limits'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { OpenStorage } from '@gateleg/domain/store'
import {
  maker,
  newBase,
  newField,
  newRecord,
  newTable,
} from '@gateleg/testing/factories/stored-rows'
import { withLimits } from '@gateleg/testing/with-limits'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshPostgres, testConnectionString } from '../../../../test/fresh-postgres.ts'
import { isOn } from '../../../../test/storages.ts'
import { GrownTables, tableAddedTo } from './grown-tables.ts'

const many = limits.rowsAddedUnseen
const link = '"bse1"."__link_fld1"'

/** Keeps the statements that it is to run, and ends them in turn when it is told to. */
function openLooks() {
  const begun: string[] = []
  const ends: ((error?: Error) => void)[] = []
  const grown = new GrownTables((sql) => {
    begun.push(sql)
    return new Promise((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve()))
    })
  })
  const end = async (error?: Error) => {
    ends.shift()?.(error)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, end, grown }
}

describe('tables that have grown', () => {
  test('[POSTGRES-90] are looked at when many rows have come, and each time that there are twice as many', async () => {
    const { begun, end, grown } = openLooks()
    const looks = async (rows: number) => {
      grown.add(link, rows)
      const count = begun.length
      await end()
      return count
    }
    expect(await looks(many - 1)).toBe(0)
    expect(await looks(1)).toBe(1)
    expect(await looks(many - 1)).toBe(1)
    expect(await looks(1)).toBe(2)
    expect(await looks(2 * many - 1)).toBe(2)
    expect(await looks(1)).toBe(3)
    expect(begun).toEqual(Array(3).fill(`analyze (skip_locked) ${link}`))
  })

  test('[POSTGRES-90] are looked at one after another, whatever becomes of a look', async () => {
    const { begun, end, grown } = openLooks()
    for (const table of ['a', 'b', 'c']) grown.add(table, many)
    expect(begun).toHaveLength(1)
    await end(new Error('it is gone'))
    expect(begun).toHaveLength(2)
    grown.stop()
    grown.add('d', many)
    await end()
    await grown.settled()
    expect(begun).toHaveLength(2)
  })

  test('[POSTGRES-91] are looked at as far as statements ask for what any table of records has', () => {
    const { begun, grown } = openLooks()
    grown.add('"bse1"."Things"', many)
    const columns = '("__id", "__auto_number", "__deletion_id")'
    expect(begun).toEqual([`analyze (skip_locked) "bse1"."Things" ${columns}`])
  })

  test.each([
    ['insert into "bse1"."Of ""a""" ("x") select 1', '"bse1"."Of ""a"""'],
    ['create table "bse1"."__order_1" as select 1', '"bse1"."__order_1"'],
    ['update "bse1"."Things" set "x" = 1', undefined],
    ['select * from "bse1"."Things"', undefined],
  ])('[POSTGRES-90] are those that a statement adds rows to: %s', (sql, table) => {
    expect(tableAddedTo(sql)).toBe(table)
  })
})

describe.runIf(isOn('postgres'))('tables that have grown on a server', () => {
  const base = newBase(`bseGrown${process.pid}`)
  const table = newTable(base.id)
  const end = {
    ...{ baseId: base.id, ownerFieldId: `${newField(table, 2, 'number').id}`, isOwner: true },
    relationship: 'manyMany',
  } as const
  let storage: OpenStorage
  let client: pg.Client
  let schema: TableSchema

  beforeEach(async () => {
    storage = await freshPostgres().open({ onCommit: () => {} })
    client = new pg.Client({ connectionString: testConnectionString() })
    await client.connect()
    schema = await storage.store.write(async (tx) => {
      await tx.bases.insert(base)
      await tx.tables.insert(table, [newField(table, 1, 'singleLineText')])
      await tx.links.create(end)
      return tx.fields.schemaOf(table)
    })
  })

  afterEach(async () => {
    await client.end()
    await storage.close()
  })

  let made = 0
  const add = (count: number, isKept = true) =>
    storage.store.write(async (tx) => {
      const records = Array.from({ length: count }, () => newRecord(`rec${made++}`, ['x']))
      await tx.recordWriter.insert(schema, records, maker)
      await tx.links.replace(end, new Map(records.map(({ id }) => [id, [`to ${id}`]])))
      if (!isKept) throw new Error('not kept')
    })

  /** The columns of which PostgreSQL knows something because it was told to look, by the names of their tables. */
  const known = async () => {
    const { rows } = await client.query<{ name: string; columns: string[] }>(
      `select relname::text as name, array_agg(attname::text order by attname) as columns
        from pg_stat_user_tables as t join pg_stats as s on s.schemaname = $1 and s.tablename = relname
        where t.schemaname = $1 and analyze_count > 0 group by relname`,
      [base.id],
    )
    return new Map(rows.map(({ name, columns }) => [name, columns]))
  }

  test('[POSTGRES-90] [POSTGRES-91] are known to it soon, with what is asked of all records', async () => {
    await withLimits({ rowsAddedUnseen: 20 }, async () => {
      await add(10)
      await add(20, false).catch(() => {})
      expect(await known()).toEqual(new Map())
      await add(10)
      await expect.poll(async () => (await known()).size).toBe(2)
    })
    const all = await known()
    expect(all.get(table.dbTableName)).toEqual(['__auto_number', '__deletion_id', '__id'])
    expect(all.get(`__link_${end.ownerFieldId}`)).toContain('__other_id')
  })

  test('[POSTGRES-131] are known to it soon where links were copied', async () => {
    const to = { ...end, ownerFieldId: `${newField(table, 3, 'number').id}` }
    await add(20)
    await withLimits({ rowsAddedUnseen: 20 }, async () => {
      await storage.store.write(async (tx) => {
        await tx.links.create(to)
        await tx.links.copy(end, to)
      })
      await storage.close()
    })
    expect([...(await known()).keys()]).toEqual([`__link_${to.ownerFieldId}`])
  })

  test('[POSTGRES-90] have been looked at when the storage is closed', async () => {
    await withLimits({ rowsAddedUnseen: 20 }, async () => {
      await add(20)
      await storage.close()
    })
    expect([...(await known()).keys()].sort()).toEqual(
      [table.dbTableName, `__link_${end.ownerFieldId}`].sort(),
    )
  })

  test('[POSTGRES-92] are left alone where anybody else keeps them from being changed', async () => {
    await client.query('begin')
    const name = `"${base.id}"."${table.dbTableName}"`
    await client.query(`lock table ${name} in share update exclusive mode`)
    await withLimits({ rowsAddedUnseen: 20 }, async () => {
      await add(20)
      await storage.close()
    })
    await client.query('rollback')
    expect([...(await known()).keys()]).toEqual([`__link_${end.ownerFieldId}`])
  })
})
