import { type TableIndex, toIndexKey } from '@gateleg/domain/indexes/table-index'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { OpenStorage, ReadTx, WriteTx } from '@gateleg/domain/store'
import { placeOfRecords, type Table } from '@gateleg/domain/tables/table'
import {
  maker,
  newBase,
  newField,
  newRecord,
  newTable,
} from '@gateleg/testing/factories/stored-rows'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { copyAsWorn } from '@gateleg/testing/worlds/copy-as-worn'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshPostgres, testConnectionString } from '../../../../test/fresh-postgres.ts'
import { relationsOf } from '../../../../test/relations-of.ts'
import { isOn } from '../../../../test/storages.ts'
import { findObstacles } from '../distribution/find-obstacles.ts'

/** Milliseconds for which others' snapshots are waited for, of tests that run at the same time. */
const patienceMs = 60_000
const count = 40

describe.runIf(isOn('postgres'))('a table that is copied into a new one', () => {
  const base = newBase(`bseCopied${process.pid}`)
  const table = newTable(base.id)
  const fields = [
    newField(table, 1, 'singleLineText', { unique: true, notNull: true }),
    newField(table, 2, 'number', { unique: true }),
    newField(table, 3, 'number'),
    newField(table, 4, 'date', { notNull: true }),
    newField(table, 5, 'checkbox'),
  ]
  let storage: OpenStorage
  let client: pg.Client
  let revisions = 0

  beforeEach(async () => {
    storage = await freshPostgres().open({ onCommit: () => {} })
    client = new pg.Client({ connectionString: testConnectionString() })
    await client.connect()
    await storage.store.write(async (tx) => {
      await tx.bases.insert(base)
      await tx.tables.insert(table, fields)
      const schema = await tx.fields.schemaOf(table)
      const records = Array.from({ length: count }, (_, n) =>
        newRecord(`rec${n}`, [`name ${n}`, n, 0, '2026-01-02T00:00:00.000Z', true]),
      )
      await tx.recordWriter.insert(schema, records, maker)
      await wearOut(tx)
    })
  })

  afterEach(async () => {
    await client.end()
    await storage.close()
  })

  /** Removes the last field for good: its column is empty then, and of no field. */
  async function wearOut(tx: WriteTx): Promise<void> {
    const last = fields.at(-1)
    if (!last) throw new Error('the table has fields')
    await tx.fields.purge(table, [last])
    const [retired] = await tx.fields.retiredColumns(table.id)
    const schema = await tx.fields.schemaOf(await tx.tables.renewSchema(table.id, 'worn'))
    if (retired) await tx.columns.empty(schema, [retired], { after: 0, until: count })
    await tx.fields.noteEmptied(table.id, [retired?.name ?? ''], undefined)
  }

  const step = (recordsCopiedAgain = 5) =>
    withLimits({ recordsCopiedAgain, ...recordsPerSlice(4) }, () =>
      storage.store.write((tx) => copyAsWorn(tx, table.id)),
    )

  async function stepsUntil(isThere: (tx: WriteTx) => Promise<boolean>): Promise<void> {
    for (const until = Date.now() + patienceMs; Date.now() < until; ) {
      if (await storage.store.write(isThere)) return
      await step()
    }
    throw new Error('the table is copied step by step')
  }

  const isIn =
    (state: 'isReady' | 'isExchanged') =>
    async (tx: WriteTx): Promise<boolean> =>
      (await tx.tableRebuilds.find(table.id))?.[state] ?? false

  async function stepsUntilOver(recordsCopiedAgain?: number): Promise<void> {
    for (const until = Date.now() + patienceMs; Date.now() < until; ) {
      if ((await step(recordsCopiedAgain)) === 'over') return
    }
    throw new Error('the table is copied in the end')
  }

  /** The table as it is noted by now, with its schema. */
  const schemaIn = async (
    tx: Pick<ReadTx, 'tables' | 'fields'>,
    lock: 'none' | 'share' = 'none',
  ) => {
    const [found] = await tx.tables.findAll([table.id], lock)
    if (!found) throw new Error('the table is there')
    return [found, await tx.fields.schemaOf(found)] as const satisfies readonly [Table, TableSchema]
  }

  /** Makes an index for queries on a field of numbers. */
  async function makeIndex(place: number): Promise<TableIndex> {
    const { id: fieldId } = fields[place - 1] ?? { id: '' }
    const key = toIndexKey([{ fieldId, kind: 'value', length: 0, isDescending: false }])
    const times = { usedTime: maker.time, checkedTime: maker.time }
    return storage.store.write(
      async (tx) => {
        const [, schema] = await schemaIn(tx)
        const name = tx.tableIndexes.nameOf(table.id, key)
        const definition = tx.tableIndexes.definitionOf(schema, key) ?? ''
        const index = { name, tableId: table.id, baseId: base.id, key, definition, ...times }
        expect(await tx.tableIndexes.build(schema, { ...index, state: 'wanted' })).toBe(true)
        await tx.tableIndexes.save({ ...index, state: 'ready' })
        await tx.tables.renewSchema(table.id, `with index ${revisions++}`)
        return { ...index, state: 'ready' }
      },
      { isStepwise: true },
    )
  }

  /** What PostgreSQL knows of the table, by the name that callers know it by. */
  async function definition() {
    const { rows } = await client.query({
      text: `select 'column', attname::text, format_type(atttypid, atttypmod), attnotnull::text, pg_get_expr(d.adbin, d.adrelid), attcollation::regcollation::text
          from pg_attribute left join pg_attrdef d on d.adrelid = attrelid and d.adnum = attnum
          where attrelid = to_regclass($1) and attnum > 0 and not attisdropped
        union all select 'index', i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid), i.indisvalid::text, null, null
          from pg_index i where i.indrelid = to_regclass($1)
        union all select 'constraint', conname::text, pg_get_constraintdef(oid), convalidated::text, null, null
          from pg_constraint where conrelid = to_regclass($1) and contype <> 'n'
        union all select 'table', relname::text, reloptions::text, relpersistence::text, null, null
          from pg_class where oid = to_regclass($1)
        order by 1, 2`,
      values: [`"${base.id}"."${table.dbTableName}"`],
      rowMode: 'array',
    })
    return rows as readonly (readonly unknown[])[]
  }

  const relations = () => relationsOf(client, base.id)

  const connection = {
    rows: async (text: string, values: readonly unknown[]) =>
      (await client.query({ text, values: [...values], rowMode: 'array' })).rows,
  }

  test('[POSTGRES-120] is defined as it was, but for the columns that were empty', async () => {
    const kept = await makeIndex(2)
    const lost = await makeIndex(3)
    // What somebody wants no more, or what differs by now, isn't copied.
    await storage.store.write((tx) => tx.tableIndexes.save({ ...lost, state: 'unwanted' }))
    const before = await definition()
    const names = await relations()
    expect(before.filter(([, name]) => String(name).startsWith('__old_'))).toHaveLength(1)
    await stepsUntil(isIn('isReady'))
    expect(await findObstacles(connection, [base.id])).toEqual([])
    await stepsUntil(isIn('isExchanged'))
    // Somebody was making it when that happened.
    await storage.store.write((tx) => tx.tableIndexes.save(lost))
    await stepsUntilOver()
    const isLeft = ([, name]: readonly unknown[]) =>
      !String(name).startsWith('__old_') && !String(name).includes(lost.name)
    expect(await definition()).toEqual(before.filter(isLeft))
    expect(await relations()).toEqual(names.filter((name) => name !== lost.name))
    expect(await storage.store.read((tx) => tx.tableIndexes.listOf(table.id))).toEqual([kept])
    const [, schema] = await storage.store.read((tx) => schemaIn(tx))
    expect([...schema.indexKeys]).toEqual([kept.key])
  })

  test('[POSTGRES-121] is read and written by others all the while, who lose nothing', async () => {
    let isOver = false
    const stored = new Map<number, number>()
    const write = async (from: number) => {
      for (let round = 1; !isOver || round < 5; round++) {
        for (let number = from; number <= count; number += 4) {
          await storage.store.write(async (tx) => {
            const [, schema] = await schemaIn(tx, 'share')
            const column = schema.columns[2]?.column
            const changes = [{ autoNumber: number, values: [round] }]
            if (column) await tx.recordWriter.setCells(schema, [column], changes)
          })
          stored.set(number, round)
        }
      }
    }
    const cells = (tx: ReadTx) =>
      schemaIn(tx).then(async ([, schema]) =>
        (await tx.recordScanner.next(schema, { after: 0, take: 1_000 })).records.map(
          (record) => [record.autoNumber, record.cells[2]] as const,
        ),
      )
    let reads = 0
    const read = async () => {
      let before = new Map<number, number>()
      while (!isOver) {
        const found = new Map(await storage.store.read(cells)) as Map<number, number>
        expect(found.size).toBe(count)
        for (const [number, round] of before) {
          expect(found.get(number)).toBeGreaterThanOrEqual(round)
        }
        before = found
        reads++
      }
    }
    const others = [write(1), write(2), write(3), write(4), read(), read()]
    const copying = (async () => {
      // However many are changed between two steps.
      for (let times = 0; times < 3; times++) await stepsUntilOver(count + 1)
    })().finally(() => {
      isOver = true
    })
    await Promise.all([copying, ...others])
    expect(reads).toBeGreaterThan(0)
    expect(new Map(await storage.store.read(cells))).toEqual(stored)
  }, 200_000)

  test('[POSTGRES-122] keeps writers waiting for the last step alone, and no reader', async () => {
    const read = () =>
      storage.store.read(async (tx) => {
        const [, schema] = await schemaIn(tx)
        return tx.recordScanner.count(schema, 1_000)
      })
    const write = () =>
      storage.store.write(async (tx) => {
        const [, schema] = await schemaIn(tx, 'share')
        await tx.recordWriter.insert(
          schema,
          [newRecord('recNew', ['new', -1, 0, maker.time, null])],
          maker,
        )
      })
    const stepAnd = (then: () => Promise<void>) =>
      withLimits({ recordsCopiedAgain: 5, ...recordsPerSlice(4) }, () =>
        storage.store.write(async (tx) => {
          await copyAsWorn(tx, table.id)
          await then()
        }),
      )
    await step()
    await stepAnd(async () => {
      await write()
      expect(await read()).toBe(count + 1)
    })
    await stepsUntil(isIn('isReady'))
    let waiting: Promise<unknown> = Promise.resolve()
    let hasWritten = false
    await stepAnd(async () => {
      waiting = storage.store
        .write(async (tx) => {
          const [found, schema] = await schemaIn(tx, 'share')
          expect(placeOfRecords(found).physicalName).not.toBe(table.dbTableName)
          const column = schema.columns[2]?.column
          if (column) {
            await tx.recordWriter.setCells(schema, [column], [{ autoNumber: 1, values: [7] }])
          }
        })
        .then(() => {
          hasWritten = true
        })
      // They read the state before all the while.
      for (let times = 0; times < 20; times++) expect(await read()).toBe(count + 1)
      expect(hasWritten).toBe(false)
    })
    await waiting
    await stepsUntilOver()
    const found = await storage.store.read(async (tx) => {
      const [, schema] = await schemaIn(tx)
      return tx.records.find(schema, 'rec0', 'none')
    })
    expect(found?.cells[2]).toBe(7)
  })

  test('[POSTGRES-125] is exchanged where others see all of that at once, else when nothing was changed before', async () => {
    const distributed = () =>
      withLimits(recordsPerSlice(4), () =>
        storage.store.write((tx) => {
          Object.assign(tx.tableRebuilds, { isSeenAtOnce: async () => false })
          return copyAsWorn(tx, table.id)
        }),
      )
    expect(await storage.store.write((tx) => tx.tableRebuilds.isSeenAtOnce())).toBe(true)
    await stepsUntil(isIn('isReady'))
    await storage.store.write(async (tx) => {
      const [, schema] = await schemaIn(tx, 'share')
      const column = schema.columns[2]?.column
      const changes = [{ autoNumber: 1, values: [7] }]
      if (column) await tx.recordWriter.setCells(schema, [column], changes)
    })
    // Somebody whose change isn't seen yet, though they have let go of the table.
    await client.query(
      `begin; lock table "${base.id}"."${table.dbTableName}" in row exclusive mode`,
    )
    await expect(distributed()).rejects.toMatchObject({ code: 'database_connection_unavailable' })
    await client.query('commit')
    expect(await distributed()).toBe('later')
    expect(await storage.store.write(isIn('isExchanged'))).toBe(false)
    expect(await distributed()).toBe('more')
    expect(await storage.store.write(isIn('isExchanged'))).toBe(true)
  })

  test('[POSTGRES-123] stays beside the new one where it was written to after all', async () => {
    await stepsUntil(isIn('isExchanged'))
    const rows = `"${base.id}"."${table.dbTableName}"`
    await client.query(`update ${rows} set "__version" = 99 where "__auto_number" = 1`)
    const finish = async () => {
      for (const until = Date.now() + patienceMs; Date.now() < until; ) {
        if ((await step()) === 'over') return
      }
    }
    await expect(finish()).rejects.toThrow('nothing was written')
    const { rows: found } = await client.query(`select count(*)::int as n from ${rows}`)
    expect(found).toEqual([{ n: count }])
  })

  test.each(['isReady', 'isExchanged'] as const)(
    '[POSTGRES-124] comes from a backup with all that it had, once it %s',
    async (isThere) => {
      await stepsUntil(isIn(isThere))
      // All rows of a table that is restored are of one transaction, and the table is another one.
      const old = `"${base.id}"."${table.dbTableName}"`
      await client.query(`begin; create table restored as select * from ${old}`)
      await client.query(
        `truncate ${old}; insert into ${old} select * from restored; drop table restored; commit`,
      )
      await stepsUntilOver()
      const found = await storage.store.read(async (tx) => {
        const [, schema] = await schemaIn(tx)
        return tx.recordScanner.count(schema, 1_000)
      })
      expect(found).toBe(count)
      expect((await relations()).filter((name) => name.includes('cop'))).toEqual([])
    },
  )
})
