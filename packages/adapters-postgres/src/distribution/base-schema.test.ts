import { randomBytes } from 'node:crypto'
import { otherEnd, relationships } from '@gateleg/domain/fields/link-end'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { OpenStorage, WriteTx } from '@gateleg/domain/store'
import { statementText } from '@gateleg/sql/core/statements/statement-texts'
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
import { relationsOf } from '../../../../test/relations-of.ts'
import { isOn } from '../../../../test/storages.ts'
import { postgresDialect } from '../dialect.ts'
import { findObstacles } from './find-obstacles.ts'

describe.runIf(isOn('postgres'))('the schema of a base', () => {
  const base = newBase(`bseOwn${process.pid}`)
  const table = newTable(base.id)
  const types = ['singleLineText', 'longText', 'number', 'date'] as const
  const fields = types.map((type, index) => newField(table, index + 1, type, { unique: true }))
  let storage: OpenStorage
  let client: pg.Client
  let schema: TableSchema
  let statements: string[]

  beforeEach(async () => {
    statements = []
    const fresh = freshPostgres({ onStatement: (sql) => statements.push(sql) })
    storage = await fresh.open({ onCommit: () => {} })
    client = new pg.Client({ connectionString: testConnectionString() })
    await client.connect()
    schema = await storage.store.write(async (tx) => {
      await tx.bases.insert(base)
      await tx.tables.insert(table, fields)
      return tx.fields.schemaOf(table)
    })
  })

  afterEach(async () => {
    await client.end()
    await storage.close()
  })

  const relations = () => relationsOf(client, base.id)

  test('[POSTGRES-12] holds all that is in its tables, and nothing of a table that is gone', async () => {
    expect(await relations()).toEqual([
      table.dbTableName,
      ...fields.map(({ id }) => `${id}_unique`),
      `${table.id}_number`,
      `${table.id}_numbers`,
      `${table.id}_pk`,
    ])
    await storage.store.write((tx) => tx.tables.deletePermanently(table))
    expect(await relations()).toEqual([])
  })

  test('[POSTGRES-12] holds the pairs of its links, and nothing of a link that is gone', async () => {
    const before = await relations()
    const ownerFieldId = newField(table, 9, 'number').id
    for (const relationship of relationships) {
      const end = { baseId: base.id, ownerFieldId, isOwner: true, relationship }
      await storage.store.write((tx) => tx.links.create(end))
      expect(await relations()).toContain(`__link_${ownerFieldId}`)
      const connection = {
        rows: async (text: string, values: readonly unknown[]) =>
          (await client.query({ text, values: [...values], rowMode: 'array' })).rows,
      }
      expect(await findObstacles(connection, [base.id])).toEqual([])
      await storage.store.write((tx) => tx.links.drop(end))
      expect(await relations()).toEqual(before)
    }
  })

  test('[POSTGRES-93] pairs are found by a list of records before anything is known of them', async () => {
    const { id: ownerFieldId } = newField(table, 9, 'number')
    const end = { baseId: base.id, ownerFieldId, isOwner: true, relationship: 'manyMany' } as const
    await storage.store.write((tx) => tx.links.create(end))
    // So many that to go through all of them seems to be the shorter way to the first few.
    await client.query(
      `insert into "${base.id}"."__link_${ownerFieldId}" select 'rec' || i, 'to ' || i, 1, 1
        from generate_series(1, 60000) as i`,
    )
    statements.length = 0
    const linked = storage.store.read((tx) =>
      tx.links.recordsLinkedTo(otherEnd(end), ['rec7', 'x'], 10),
    )
    expect(await linked).toEqual(['to 7'])
    const query = statements.find((one) => one.includes('select distinct'))
    // As it is planned once for all lists and limits.
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query(`prepare linked as ${query}`)
    const text = `explain execute linked('{a,b}', 10)`
    const { rows } = await client.query({ text, rowMode: 'array' })
    expect(rows.flat().join('\n')).toContain('Index Cond: (__maker_id = ANY')
  })

  test('[POSTGRES-12] takes its tables along', async () => {
    const dialect = postgresDialect('any')
    for (const statement of dialect.tables.dropSchema(base.id)) {
      await client.query(statementText(dialect, statement))
    }
    const { rows } = await client.query('select from pg_namespace where nspname = $1', [base.id])
    expect(rows).toEqual([])
  })

  describe('of a table without indexes of its own', () => {
    const plain = {
      ...newTable(base.id),
      ...{ id: `${table.id}2`, dbTableName: 'Plain', schemaTag: `${table.schemaTag}2` },
    }
    const fields = [newField(plain, 1, 'number'), newField(plain, 2, 'number')]

    const changeTo = (tx: WriteTx, schema: TableSchema, from: number, numbers: readonly number[]) =>
      tx.recordWriter.setCells(
        schema,
        schema.columns.slice(0, 1).map(({ column }) => column),
        numbers.map((number, index) => ({ autoNumber: from + index, values: [number] })),
      )

    /** Adds so many records, runs the work, and waits until this is known to have happened in the table. */
    const expectHappening = async (
      count: number,
      work: (schema: TableSchema) => Promise<void>,
      expected: object,
    ) => {
      const schema = await storage.store.write(async (tx) => {
        await tx.tables.insert(plain, fields)
        const schema = await tx.fields.schemaOf(plain)
        const records = Array.from({ length: count }, (_, n) => newRecord(`rec${n}`, [n, null]))
        await tx.recordWriter.insert(schema, records, maker)
        return schema
      })
      await work(schema)
      await storage.close()
      // Connections tell what they did after they have ended.
      const happened = async () => {
        const { rows } = await client.query(
          `select seq_tup_read::int as read, idx_tup_fetch::int as found, n_tup_upd::int as updated,
              n_tup_hot_upd::int as in_place
            from pg_stat_user_tables where schemaname = $1 and relname = $2`,
          [base.id, plain.dbTableName],
        )
        return rows[0]
      }
      await expect.poll(happened, { timeout: 5_000 }).toMatchObject(expected)
    }

    test('[POSTGRES-71] changes records in their pages', async () => {
      const work = async (schema: TableSchema) => {
        for (const from of [1, 100, 200]) {
          await storage.store.write((tx) => changeTo(tx, schema, from, [-1]))
        }
      }
      await expectHappening(300, work, { updated: 3, in_place: 3 })
    })

    test('[POSTGRES-72] reads no other records to change some that lie close together', async () => {
      const some = Array.from({ length: 500 }, (_, n) => -n)
      const work = (schema: TableSchema) =>
        storage.store.write(async (tx) => {
          // After a table was changed, statements are planned each time they run.
          await tx.fields.insert(plain, newField(plain, 3, 'number'))
          for (let from = 1; from < 4_500; from += 500) await changeTo(tx, schema, from, some)
        })
      // So few that PostgreSQL isn't told to look at them.
      await expectHappening(4_500, work, { updated: 4_500, read: 0 })
    })

    test('[POSTGRES-73] reads no other records to go on in a table', async () => {
      const work = (schema: TableSchema) =>
        storage.store.read(async (tx) => {
          for (let after = 0; after < 4_500; after += 50) {
            const end = { after, records: 50, enough: 25, bytes: 1_000_000 }
            const { until = 0, count = 0 } = (await tx.recordSizes.nextRange(schema, end)) ?? {}
            const { records } = await tx.recordScanner.next(schema, { after, until, take: count })
            expect([until, count, records.length]).toEqual([after + 50, 50, 50])
          }
        })
      // Each twice, to measure and to read it, and the last one of the table each time.
      await expectHappening(4_500, work, { read: 0, found: 9_090 })
    })

    test('[POSTGRES-130] reads no other records where it is their length that ends a step', async () => {
      const work = (schema: TableSchema) =>
        storage.store.read(async (tx) => {
          const next = (end: object) =>
            tx.recordSizes.nextRange(schema, { after: 0, records: 50, bytes: 1_000_000, ...end })
          const { bytes } = (await next({ records: 10, enough: 10 })) ?? {}
          for (let after = 0; after < 500; after += 10) {
            expect(await next({ after, enough: 25, bytes })).toMatchObject({ count: 10 })
          }
        })
      await expectHappening(4_500, work, { read: 0 })
    })
  })

  test('[POSTGRES-16] finds and refuses a unique text of any length by its index', async () => {
    // Too much for an index entry, however well it is compressed.
    const text = randomBytes(100_000).toString('hex')
    const add = (id: string) =>
      storage.store.write((tx) =>
        tx.recordWriter.insert(schema, [newRecord(id, [null, text, null, null])], maker),
      )
    await add('rec1')
    await expect(add('rec2')).rejects.toMatchObject({ code: 'validation_error' })
    const [, column] = schema.columns
    const holders = await storage.store.read((tx) =>
      tx.records.findHolders(schema, column?.column as never, [text, 'y']),
    )
    expect(holders).toEqual([{ recordId: 'rec1', value: text }])
    const query = statements.find((one) => one.startsWith('select') && one.includes('md5('))
    await client.query('set enable_seqscan = off')
    const plan = await client.query({
      text: `explain ${query}`,
      values: [[text]],
      rowMode: 'array',
    })
    expect(plan.rows.flat().join('\n')).toContain(`${fields[1]?.id}_unique`)
  })
})
