import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { postgresDialect } from '@gateleg/adapters-postgres/dialect'
import { addQueryFunctions } from '@gateleg/adapters-sqlite/connection/query-functions'
import { sqliteDialect } from '@gateleg/adapters-sqlite/dialect'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { type IndexPart, toIndexKey } from '@gateleg/domain/indexes/table-index'
import { always, type Condition } from '@gateleg/domain/queries/condition'
import { sortTextLength } from '@gateleg/domain/queries/sort-keys'
import type { RecordFinder } from '@gateleg/domain/records/reading/record-finder'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { OpenStorage } from '@gateleg/domain/store'
import { SqlAttachmentRepository } from '@gateleg/sql/attachments/sql-attachment-repository'
import type { SqlConnection } from '@gateleg/sql/core/connection'
import type { SqlDialect } from '@gateleg/sql/core/dialect/sql-dialect'
import { SqlSession } from '@gateleg/sql/core/session'
import { DemandForIndexes } from '@gateleg/sql/index-demand/index-demand'
import { SqlRecordFinder } from '@gateleg/sql/records/query/sql-record-finder'
import { SqlTrashRepository } from '@gateleg/sql/trash/sql-trash-repository'
import {
  maker,
  newBase,
  newField,
  newRecord,
  newTable,
} from '@gateleg/testing/factories/stored-rows'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freshPostgres, testConnectionString } from './fresh-postgres.ts'
import { isOn, type StorageName } from './storages.ts'

/** Records: so many that a planner takes an index which fits. */
const recordCount = 20_000

/** SQLite has no lists and no truth values: plans don't depend on them. */
const toBound = (value: unknown) =>
  Array.isArray(value) || typeof value === 'boolean' ? JSON.stringify(value) : value

interface Engine {
  readonly storage: OpenStorage
  readonly dialect: SqlDialect
  /** Has the engine look at what there is, as it does by itself after a while. */
  look(): Promise<unknown>
  /** How a statement would be run, in the words of the engine. */
  explain(sql: string, parameters: readonly unknown[]): Promise<string>
  close(): Promise<void>
}

const engines: Readonly<Record<StorageName, () => Promise<Engine>>> = {
  sqlite: async () => {
    const folder = mkdtempSync(join(inject('sqliteFolder'), 'plans-'))
    const file = join(folder, 'workspace.db')
    const storage = await sqlite({ file }).open({ onCommit: () => {} })
    const database = new Database(file)
    addQueryFunctions(database)
    return {
      storage,
      dialect: sqliteDialect,
      look: async () => {},
      explain: async (sql, parameters) => {
        const rows = database.prepare(`explain query plan ${sql}`).all(...parameters.map(toBound))
        return (rows as { readonly detail: string }[]).map(({ detail }) => detail).join('\n')
      },
      close: async () => {
        database.close()
        await storage.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
  postgres: async () => {
    const storage = await freshPostgres().open({ onCommit: () => {} })
    const client = new pg.Client({ connectionString: testConnectionString() })
    await client.connect()
    return {
      storage,
      dialect: postgresDialect('none'),
      look: () => client.query(`vacuum analyze "${base.id}"."${table.dbTableName}"`),
      explain: async (text, values) => {
        const query = { text: `explain ${text}`, values: [...values] }
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(query)
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      },
      close: async () => {
        await client.end()
        await storage.close()
      },
    }
  },
}

const base = newBase(`bsePlans${process.pid}`)
const table = newTable(base.id)
const fields = (['singleLineText', 'number', 'singleSelect'] as const).map((type, index) =>
  newField(table, index + 1, type),
)
const [textId = '', numberId = '', choiceId = ''] = fields.map(({ id }) => id)

describe.each((['sqlite', 'postgres'] as const).filter(isOn))(
  'the plans of queries on %s',
  (on) => {
    let engine: Engine
    let schema: TableSchema

    const part = (fieldId: string, more: Partial<IndexPart> = {}): IndexPart => ({
      ...{ fieldId, kind: 'value', length: 0, isDescending: false },
      ...more,
    })
    const keys = {
      texts: toIndexKey([
        part(textId, { kind: 'sort', length: sortTextLength({} as never, [{} as never]) }),
      ]),
      numbers: toIndexKey([part(numberId, { isDescending: true })]),
      upwards: toIndexKey([part(numberId)]),
      choices: toIndexKey([part(choiceId)]),
    }

    beforeAll(async () => {
      engine = await engines[on]()
      const { store } = engine.storage
      schema = await store.write(async (tx) => {
        await tx.bases.insert(base)
        await tx.tables.insert(table, fields)
        const made = await tx.fields.schemaOf(table)
        const records = Array.from({ length: recordCount }, (_, n) =>
          newRecord(`rec${n}`, [
            `Text ${(n * 7_919) % recordCount}`,
            n % 1_000,
            n % 1_000 === 7 ? 'rare' : `choice ${n % 5}`,
          ]),
        )
        await tx.recordWriter.insert(made, records, maker)
        return made
      })
      await store.write(
        async ({ tableIndexes }) => {
          for (const [name, key] of Object.entries(keys)) {
            const times = { usedTime: '', checkedTime: '' }
            const index = {
              name,
              tableId: table.id,
              baseId: base.id,
              key,
              definition: '',
              ...times,
            }
            expect(await tableIndexes.build(schema, { ...index, state: 'wanted' })).toBe(true)
          }
        },
        { isStepwise: true, isLong: true },
      )
      await engine.look()
      schema = { ...schema, indexKeys: new Set(Object.values(keys)) }
    })
    afterAll(() => engine.close())

    /** How the statements would be run that some work sends; each finds nothing. */
    const plansIn = async (work: (session: SqlSession) => Promise<unknown>) => {
      const plans: string[] = []
      const explain = async (sql: string, parameters: readonly unknown[]) => {
        plans.push(await engine.explain(sql, parameters))
        return []
      }
      const connection = { rows: explain, all: explain, run: explain } as unknown as SqlConnection
      await work(new SqlSession(connection, engine.dialect))
      return plans
    }
    const plansOf = (work: (finder: RecordFinder) => Promise<unknown>) =>
      plansIn((session) => work(new SqlRecordFinder(session, new DemandForIndexes())))
    const field = (id: string) => {
      const found = schema.byKey.id.get(id)
      if (!found) throw new Error('the field is there')
      return found
    }
    const page = { skip: 0, take: 10 }
    const sortedBy = (id: string, isDescending = false, condition: Condition = always) => ({
      condition,
      keys: [{ field: field(id), isDescending }],
    })
    const isLarge = (): Condition => {
      const test = { kind: 'range', from: { value: 998 } } as const
      return { kind: 'some', field: field(numberId), test }
    }

    test.each([
      ['texts', textId, false],
      ['numbers', numberId, true],
    ] as const)('[INDEX-3] a first page is read along the index: %s', async (index, id, desc) => {
      const [plan = ''] = await plansOf((finder) => finder.find(schema, sortedBy(id, desc), page))
      expect(plan).toMatch(new RegExp(`\\b${index}\\b`))
      expect(plan).not.toMatch(/Sort|TEMP B-TREE/)
    })

    test.each([
      ['texts', textId, false, 'text 5', on === 'sqlite' ? 2 : 1],
      ['(?:numbers|upwards)', numberId, false, 500, 1],
      ['(?:numbers|upwards)', numberId, true, 500, 3],
    ] as const)('[INDEX-3] a page far back begins at its place in the index: %s', async (...of) => {
      const [index, id, desc, value, parts] = of
      const after = { values: [value], autoNumber: 7 }
      const query = sortedBy(id, desc)
      const plans = await plansOf((finder) => finder.find(schema, query, { ...page, after }))
      expect(plans).toHaveLength(parts)
      for (const plan of plans) {
        const using = on === 'sqlite' ? 'SEARCH t USING INDEX' : 'using'
        expect(plan).toMatch(new RegExp(`${using} ${index}`))
        expect(plan).toMatch(on === 'sqlite' ? /SEARCH/ : /Index Cond/)
      }
    })

    test('[QUERY-29] what stands first in an order is looked at along its index', async () => {
      const query = sortedBy(textId, false, isLarge())
      const plans = await plansOf((finder) => finder.findWithinReach(schema, query, page))
      expect(plans).toHaveLength(2)
      for (const plan of plans) expect(plan).toMatch(/\btexts\b/)
    })

    test('[QUERY-29] few records with a value are sorted, found by its index', async () => {
      const test = { kind: 'oneOf', values: ['rare'] } as const
      const isRare: Condition = { kind: 'some', field: field(choiceId), test }
      const isFilled = { kind: 'not', condition: { kind: 'empty', field: field(textId) } } as const
      const query = sortedBy(textId, true, { kind: 'all', conditions: [isFilled, isRare] })
      const plans = await plansOf((finder) => finder.findWithinReach(schema, query, page))
      expect(plans.length).toBeGreaterThan(1)
      for (const plan of plans.slice(0, 2)) expect(plan).toMatch(/\bchoices\b/)
      const { store } = engine.storage
      const near = await store.read((tx) => tx.recordFinder.findWithinReach(schema, query, page))
      expect(near).toHaveLength(10)
      expect(near).toEqual(await store.read((tx) => tx.recordFinder.find(schema, query, page)))
    })

    test('[INDEX-3] what a filter lets through is counted in the index', async () => {
      const [plan] = await plansOf((finder) => finder.count(schema, isLarge()))
      expect(plan).toMatch(
        on === 'sqlite'
          ? /SEARCH t USING COVERING INDEX (numbers|upwards)/
          : /Scan.* (on|using) (numbers|upwards)/,
      )
    })

    test('[INDEX-3] what a filter lets through is found by the index', async () => {
      const test = { kind: 'oneOf', values: [500] } as const
      const condition: Condition = { kind: 'some', field: field(numberId), test }
      const query = { condition, keys: [] }
      const [plan] = await plansOf((finder) => finder.find(schema, query, page))
      expect(plan).toMatch(/numbers|upwards/)
    })

    test.runIf(on === 'sqlite')('[STORE-352] rows are found by their keys', async () => {
      const tokens = ['a', 'b']
      const of = { spaceId: 'spc', userId: 'usr', time: '2026-01-01T00:00:00.000Z' }
      const plans = await plansIn(async (session) => {
        const files = new SqlAttachmentRepository(session)
        await files.findAll(of.spaceId, tokens)
        await files.attach({ ...of, tokens })
        await new SqlTrashRepository(session).deletionsIn(['op'])
      })
      expect(plans.map((plan) => plan.split('\n')[0])).toEqual([
        'SEARCH attachments USING INDEX sqlite_autoindex_attachments_1 (token=?)',
        'SEARCH attachments USING INDEX sqlite_autoindex_attachments_1 (token=?)',
        'SEARCH trash_entries USING INDEX sqlite_autoindex_trash_entries_1 (id=?)',
      ])
    })

    test.runIf(on === 'sqlite')('[INDEX-3] groups are counted in the index', async () => {
      const grouping = { fields: [field(choiceId)], measures: [], most: 100, withFirsts: true }
      const [plan] = await plansOf((finder) => finder.groups(schema, always, grouping))
      expect(plan).toContain('USING COVERING INDEX choices')
    })

    test.runIf(on === 'postgres')(
      '[INDEX-7] others write while an index waits for what began before it',
      async () => {
        const rows = `"${base.id}"."${table.dbTableName}"`
        const connect = async () => {
          const client = new pg.Client({ connectionString: testConnectionString() })
          await client.connect()
          return client
        }
        const [before, later] = [await connect(), await connect()]
        const change = (client: pg.Client, id: string) =>
          client.query(`update ${rows} set col2 = 1 where "__id" = $1`, [id])
        await before.query('begin')
        await change(before, 'rec1')
        const times = { usedTime: '', checkedTime: '' }
        const index = { name: 'more', tableId: table.id, baseId: base.id, definition: '', ...times }
        const building = engine.storage.store.write(
          ({ tableIndexes }) =>
            tableIndexes.build(schema, { ...index, key: keys.numbers, state: 'wanted' }),
          { isStepwise: true },
        )
        const isWaiting = `select 1 from pg_stat_activity where query like 'create index%"more"%' and wait_event_type = 'Lock'`
        while ((await later.query(isWaiting)).rows.length === 0);
        await later.query('set lock_timeout = 2000')
        expect((await change(later, 'rec2')).rowCount).toBe(1)
        await before.query('commit')
        expect(await building).toBe(true)
        await Promise.all([before.end(), later.end()])
      },
    )
  },
)
