import { setTimeout } from 'node:timers/promises'
import { RecordPages } from '@gateleg/domain/records/background/record-pages'
import { workOnPages } from '@gateleg/domain/records/background/work-on-pages'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { OpenStorage, WriteTx } from '@gateleg/domain/store'
import { newBase, newField, newRecord, newTable } from '@gateleg/testing/factories/stored-rows'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshPostgres } from '../../../test/fresh-postgres.ts'
import { isOn } from '../../../test/storages.ts'

describe.runIf(isOn('postgres'))('work of the background on PostgreSQL', () => {
  const base = newBase(`bseBeside${process.pid}`)
  const table = newTable(base.id)
  let storage: OpenStorage
  let schema: TableSchema
  let statements: string[]

  beforeEach(async () => {
    statements = []
    const fresh = freshPostgres({ onStatement: (sql) => statements.push(sql) })
    storage = await fresh.open({ onCommit: () => {} })
    schema = await storage.store.write(async (tx) => {
      await tx.bases.insert(base)
      await tx.tables.insert(table, [newField(table, 1, 'number')])
      return tx.fields.schemaOf(table)
    })
    const records = Array.from({ length: 12 }, (_, n) => newRecord(`rec${n}`, [n]))
    const by = { time: '2026-01-01T00:00:00.000Z', userId: 'usr1' }
    await storage.store.write((tx) => tx.recordWriter.insert(schema, records, by))
    statements.length = 0
  })
  afterEach(() => storage.close())

  const write = <T>(work: (tx: WriteTx) => Promise<T>) => storage.store.write(work)
  const change = (tx: WriteTx, numbers: readonly number[]) => {
    const changes = numbers.map((autoNumber) => ({ autoNumber, values: [-1], bytes: 1 }))
    return tx.recordWriter.setCells(
      schema,
      schema.columns.map(({ column }) => column),
      changes,
    )
  }
  const pagesOf = (tx: WriteTx) =>
    new RecordPages(tx, schema, { until: 12, columns: [], parts: 'numbers', lock: 'update' })
  /** The transaction where records take a while to be measured. */
  const slowly = (tx: WriteTx) =>
    new Proxy(tx, {
      get: (target, name) => {
        const member = Reflect.get(target, name, target)
        if (name !== 'recordSizes') return typeof member === 'function' ? member.bind(tx) : member
        const nextRange: typeof tx.recordSizes.nextRange = (...of) =>
          setTimeout(20).then(() => tx.recordSizes.nextRange(...of))
        return { nextRange }
      },
    })
  /** What the statements were, of those that read or change records. */
  const kinds = () =>
    statements.flatMap((sql) => {
      if (/^(commit|rollback)/.test(sql)) return sql
      if (!sql.includes(table.dbTableName)) return []
      return sql.startsWith('update') ? 'store' : sql.includes('for update') ? 'read' : []
    })

  test('[RECORD-192] reads a page before the one before is worked on, which is stored meanwhile', async () => {
    await withLimits(recordsPerSlice(3), () =>
      write((tx) =>
        workOnPages({ tx, failures: 0, mayDoMore: () => true }, pagesOf(tx), 0, async (page) => {
          const storing = change(
            tx,
            page.records.map(({ autoNumber }) => autoNumber),
          )
          expect(page.writes).toBeDefined()
          page.writes?.add(storing)
          return true
        }),
      ),
    )
    const [read, store] = ['read', 'store']
    expect(kinds()).toEqual([read, read, store, read, store, read, store, store, 'commit'])
  })

  test.each([
    [1, 0],
    [1, 20],
    [2, 0],
    [2, 20],
  ])(
    '[RECORD-192] asks and writes nothing once the work on page %i has failed, writes taking %i ms',
    async (failing, tookMs) => {
      let page = 0
      const work = (tx: WriteTx) =>
        withLimits(recordsPerSlice(1), () =>
          workOnPages(
            { tx, failures: 0, mayDoMore: () => true },
            pagesOf(slowly(tx)),
            0,
            async (of) => {
              of.writes?.add(setTimeout(tookMs).then(() => change(tx, [12 - page])))
              if (++page === failing) throw new Error('no')
              return true
            },
          ),
        )
      await expect(write(work)).rejects.toThrow('no')
      await setTimeout(50)
      expect(statements.at(-1)).toBe('rollback')
    },
  )

  test('[RECORD-230] asks and writes nothing once a write has failed, however long others take', async () => {
    const refuse = (tx: WriteTx) =>
      tx.recordWriter.purge({ ...schema, physicalName: 'none' }, [], '')
    const work = (tx: WriteTx) =>
      withLimits(recordsPerSlice(1), () =>
        workOnPages({ tx, failures: 0, mayDoMore: () => true }, pagesOf(tx), 0, async (page) => {
          const numbers = page.records.map(({ autoNumber }) => autoNumber)
          const isSecond = page.after === 1
          page.writes?.add(isSecond ? refuse(tx) : setTimeout(20).then(() => change(tx, numbers)))
          return true
        }),
      )
    await expect(write(work)).rejects.toThrow('none')
    await setTimeout(50)
    expect(statements.at(-1)).toBe('rollback')
  })

  test('[POSTGRES-180] may do more while nobody waits for it and it is short', async () => {
    let other: Promise<unknown> = Promise.resolve()
    await withLimits({ transactionMsOverNetwork: 60_000 }, () =>
      write(async (tx) => {
        const mayDoMore = async (number: number) => {
          await change(tx, [number])
          return tx.mayDoMore()
        }
        expect([await mayDoMore(1), await mayDoMore(2)]).toEqual([true, true])
        other = write((next) => change(next, [1]))
        await expect.poll(() => mayDoMore(3)).toBe(false)
      }),
    )
    await other
    await withLimits({ transactionMsOverNetwork: 0 }, () =>
      write(async (tx) => expect(tx.mayDoMore()).toBe(false)),
    )
  })
})
