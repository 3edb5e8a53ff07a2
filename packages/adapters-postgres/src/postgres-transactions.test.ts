import { setTimeout } from 'node:timers/promises'
import type { DomainEvent } from '@gateleg/domain/events/event'
import { type Import, noProgress } from '@gateleg/domain/imports/import'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { Store, WriteTx } from '@gateleg/domain/store'
import type { Table } from '@gateleg/domain/tables/table'
import { SqlFailure } from '@gateleg/sql/core/connection'
import { CuttableProxy } from '@gateleg/testing/doubles/cuttable-proxy'
import {
  maker,
  newBase,
  newField,
  newRecord,
  newTable,
  newUser,
} from '@gateleg/testing/factories/stored-rows'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  giveBackSchema,
  onSchema,
  takeSchema,
  testConnectionString,
} from '../../../test/fresh-postgres.ts'
import { isOn } from '../../../test/storages.ts'

/** Lets so many go on together. */
function barrier(count: number): () => Promise<void> {
  let waiting = count
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    if (--waiting === 0) open()
    return opened
  }
}

const unavailable = {
  code: 'database_connection_unavailable',
  data: { retryAfterSeconds: expect.any(Number) },
}

function newImport(expiresTime: string): Import {
  return {
    id: 'imp1',
    baseId: 'bse1',
    tableId: null,
    fieldIds: [],
    state: 'arriving',
    progress: noProgress,
    createdBy: 'usr1',
    createdTime: '2026-01-01T00:00:00.000Z',
    expiresTime,
  }
}

describe.runIf(isOn('postgres'))('transactions on PostgreSQL', () => {
  let schema: string
  let proxy: CuttableProxy
  let client: pg.Client
  let close: () => Promise<void>
  let store: Store
  let events: DomainEvent[]

  beforeEach(async () => {
    schema = await takeSchema()
    const url = new URL(testConnectionString())
    proxy = await CuttableProxy.open({ host: url.hostname, port: Number(url.port || 5432) })
    url.hostname = '127.0.0.1'
    url.port = String(proxy.port)
    events = []
    const storage = onSchema(schema, { connectionString: url.href })
    const opened = await storage.open({ onCommit: (committed) => events.push(...committed) })
    close = () => opened.close()
    store = opened.store
    await store.write(async (tx) => {
      for (const number of [1, 2]) await tx.users.insert(newUser(number))
    })
    client = new pg.Client({ connectionString: testConnectionString() })
    await client.connect()
  })

  afterEach(async () => {
    await client.end()
    await close()
    await proxy.close()
    giveBackSchema(schema)
  })

  const note = (tx: WriteTx, userId: string) =>
    tx.emit({ name: 'user.updated', time: '2026-01-01T00:00:00.000Z', payload: { userId } })

  const versions = () =>
    store.read(async (tx) => {
      const users = [await tx.users.find('usr1'), await tx.users.find('usr2')]
      return users.map((user) => user?.version)
    })

  const count = async (tx: WriteTx, number: number) => {
    const user = await tx.users.find(`usr${number}`, 'update')
    await tx.users.update(newUser(number, { version: (user?.version ?? 0) + 1 }))
  }

  test('[POSTGRES-140] read on as long ones, or anew in their turn where others are', async () => {
    let begun = 0
    const read = (work: () => Promise<unknown>) =>
      store.read(async (tx) => {
        begun++
        tx.becomeLong()
        await work()
        return (await tx.users.find('usr1'))?.id
      })
    expect(await read(async () => {})).toBe('usr1')
    expect(begun).toBe(1)
    const { promise: end, resolve } = Promise.withResolvers<void>()
    // Each of another caller has one connection at least; without a name they share a part.
    const longs = Array.from({ length: 40 }, () => read(() => end))
    await expect.poll(() => begun).toBeGreaterThan(1)
    const short = store.read(async (tx) => (await tx.users.find('usr2'))?.id)
    expect(await short).toBe('usr2')
    resolve()
    expect(await Promise.all(longs)).toEqual(longs.map(() => 'usr1'))
    expect(begun).toBeGreaterThan(41)
  })

  test('[POSTGRES-4] are run again after a deadlock', async () => {
    const meet = barrier(2)
    let runs = 0
    const crossing = (numbers: readonly number[]) => {
      let isFirst = true
      return store.write(async (tx) => {
        runs++
        note(tx, `${numbers}`)
        await count(tx, numbers[0] ?? 0)
        if (isFirst) await meet()
        isFirst = false
        await count(tx, numbers[1] ?? 0)
      })
    }
    await Promise.all([crossing([1, 2]), crossing([2, 1])])
    expect(await versions()).toEqual([3, 3])
    // PostgreSQL may stop the one, or both.
    expect([3, 4]).toContain(runs)
    expect(events).toHaveLength(2)
  })

  test('[STORE-420] keep a job that is asked for by who commits when it is over', async () => {
    const [now, later] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z']
    const job = { id: 'job1', kind: 'some', dueTime: now, failures: 0 }
    const terms = { now, farthest: later, leaseUntil: later, claim: 'ours' }
    await store.write((tx) => tx.jobs.hasten(job))
    const claimed = await store.write((tx) => tx.jobs.claim(terms))
    const asked = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const asking = store.write(async (tx) => {
      await tx.jobs.hasten(job)
      asked.resolve()
      await goOn.promise
    })
    await asked.promise
    const removing = store.write(async (tx) => claimed && tx.jobs.remove(claimed))
    await setTimeout(50)
    goOn.resolve()
    await asking
    expect(await removing).toBe(true)
    expect(await store.write((tx) => tx.jobs.claim(terms))).toMatchObject(job)
  })

  test('[STORE-421] keep what is renewed while it is removed for having expired', async () => {
    const [first, now, until] = [0, 1, 2].map((hour) => `2026-01-01T0${hour}:00:00.000Z`) as [
      string,
      string,
      string,
    ]
    const count = (tx: WriteTx, from: string, to: string) =>
      tx.attempts.count('calls', { now: from, until: to, farthest: '2027' })
    await store.write((tx) => count(tx, first, now))
    const counted = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const counting = store.write(async (tx) => {
      await count(tx, now, until)
      counted.resolve()
      await goOn.promise
    })
    await counted.promise
    const removing = store.write((tx) => tx.attempts.deleteExpired(until, 9))
    await setTimeout(50)
    goOn.resolve()
    await counting
    expect(await removing).toBe(0)
    expect(await store.write((tx) => count(tx, now, until))).toEqual({ tries: 2, until })
  })

  test('[STORE-461] keep an import whose file goes on coming while it is removed for having expired', async () => {
    const [now, until] = ['2026-01-01T01:00:00.000Z', '2026-01-01T02:00:00.000Z']
    const one = newImport(now)
    const piece = (number: number) => ({ importId: one.id, number, rows: [] })
    await store.write(async (tx) => {
      await tx.imports.save(one)
      await tx.imports.savePiece(piece(0))
    })
    const held = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const coming = store.write(async (tx) => {
      const found = await tx.imports.find(one.id, 'update')
      held.resolve()
      await goOn.promise
      await tx.imports.savePiece(piece(1))
      if (found) await tx.imports.save({ ...found, expiresTime: until })
    })
    await held.promise
    const removing = store.write((tx) => tx.imports.deleteExpired(until, 9))
    await setTimeout(50)
    goOn.resolve()
    await coming
    expect(await removing).toBe(false)
    expect(await store.write((tx) => tx.imports.nextPiece(one.id))).toEqual(piece(0))
  })

  test('[STORE-462] count the imports of a base one after another', async () => {
    const [now, until] = ['2026-01-01T01:00:00.000Z', '2026-01-01T02:00:00.000Z']
    const counted = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const beginning = store.write(async (tx) => {
      const count = await tx.imports.countOpenHeld('bse1', now)
      counted.resolve()
      await goOn.promise
      await tx.imports.save(newImport(until))
      return count
    })
    await counted.promise
    const another = store.write((tx) => tx.imports.countOpenHeld('bse1', now))
    await setTimeout(50)
    goOn.resolve()
    expect([await beginning, await another]).toEqual([0, 1])
  })

  test('[POSTGRES-4] are run again while others are in their way', async () => {
    let runs = 0
    await store.write(async (tx) => {
      runs++
      note(tx, 'usr1')
      await count(tx, 1)
      if (runs < 4) throw new SqlFailure('contended', 'as after a conflict', undefined)
    })
    expect(runs).toBe(4)
    expect(await versions()).toEqual([2, 1])
    expect(events).toHaveLength(1)
  })

  test('[POSTGRES-4] are not run again for ever', async () => {
    let runs = 0
    const writing = store.write(async () => {
      runs++
      throw new SqlFailure('contended', 'as after a conflict', undefined)
    })
    await expect(writing).rejects.toMatchObject(unavailable)
    expect(runs).toBe(10)
  })

  test('[POSTGRES-5] are refused with when to try again where others go on changing the tables', async () => {
    const outdated = (message: string, cause?: Error) => new SqlFailure('outdated', message, cause)
    const failing = async (failure: (run: number) => SqlFailure) => {
      let runs = 0
      const error = await store
        .write(async () => {
          throw failure(++runs)
        })
        .catch((thrown: unknown) => thrown)
      expect(runs).toBe(10)
      return error
    }
    const busy = { code: 'service_busy', data: { retryAfterSeconds: 1 } }
    expect(await failing(() => outdated('The schema has changed'))).toMatchObject(busy)
    const refused = new Error('as the driver says it')
    const other = await failing((run) => outdated(`There is no column ${run}`, refused))
    expect(other).toMatchObject(busy)
    expect(other).toMatchObject({ cause: { kind: 'outdated' } })
    const always = await failing(() => outdated('There is no column x', refused))
    expect(always).toMatchObject({ kind: 'other', message: 'There is no column x' })
  })

  test('[POSTGRES-19] are run again one after another, those of other processes too', async () => {
    const other = await onSchema(schema).open({ onCommit: () => {} })
    let atOnce = 0
    let most = 0
    const collide = (by: Store) => {
      let runs = 0
      return by.write(async () => {
        if (++runs === 1) throw new SqlFailure('contended', 'as after a conflict', undefined)
        most = Math.max(most, ++atOnce)
        await setTimeout(50)
        atOnce--
      })
    }
    await Promise.all([store, other.store, store, other.store].map(collide))
    expect(most).toBe(1)
    await other.close()
  })

  test('[POSTGRES-19] take turns in a base where others collided, and in no other', async () => {
    const [first, second] = await Promise.all(
      ['a', 'b'].map(async (name) => {
        const base = newBase(`bse${schema}${name}${Date.now()}`)
        const table = newTable(base.id)
        await store.write(async (tx) => {
          await tx.bases.insert(base)
          await tx.tables.insert(table, [newField(table, 1, 'singleLineText')])
        })
        return table.id
      }),
    )
    let runs = 0
    await store.write(async (tx) => {
      await tx.tables.findAll([first ?? ''], 'share')
      if (++runs === 1) throw new SqlFailure('contended', 'as after a conflict', undefined)
    })
    const mostIn = async (tableId = '') => {
      let [now, most] = [0, 0]
      const write = () =>
        store.write(async (tx) => {
          await tx.tables.findAll([tableId], 'share')
          most = Math.max(most, ++now)
          await setTimeout(50)
          now--
        })
      await Promise.all([write(), write(), write()])
      return most
    }
    expect(await mostIn(first)).toBe(1)
    expect(await mostIn(second)).toBeGreaterThan(1)
  })

  test('[POSTGRES-5] are run again when a column was renamed since they read about it', async () => {
    const base = newBase(`bse${schema}x${Date.now()}`)
    const table = newTable(base.id)
    const field = newField(table, 1, 'singleLineText')
    const renamed = { ...field, columnName: 'renamed' }
    await store.write(async (tx) => {
      await tx.bases.insert(base)
      await tx.tables.insert(table, [field])
      const tableSchema = await tx.fields.schemaOf(table)
      await tx.recordWriter.insert(tableSchema, [newRecord('rec1', ['a'])], maker)
    })
    let runs = 0
    const record = await store.read(async (tx) => {
      runs++
      const [found] = await tx.tables.listOf(base.id)
      const tableSchema = await tx.fields.schemaOf(found as Table)
      if (runs === 1) {
        await store.write(async (writing) => {
          await writing.fields.update(table, field, renamed)
          await writing.tables.changeSchema(table.id, 'renamed', table.createdTime)
        })
      }
      return tx.records.find(tableSchema, 'rec1', 'none')
    })
    expect(record?.cells).toEqual(['a'])
    expect(runs).toBe(2)
  })

  test('[POSTGRES-5] are run again when a kept statement no longer fits', async () => {
    const read = () => store.read((tx) => tx.users.find('usr1'))
    for (let times = 0; times < 8; times++) await read()
    await client.query(`alter table "${schema}".users add column nickname text`)
    try {
      const found = await Promise.all(Array.from({ length: 8 }, read))
      expect(new Set(found.map((user) => user?.name))).toEqual(new Set(['Ada 1']))
    } finally {
      await client.query(`alter table "${schema}".users drop column nickname`)
    }
  })

  test('[POSTGRES-6] are answered as unavailable while the server is out of reach', async () => {
    proxy.mode = 'down'
    await expect(versions()).rejects.toMatchObject(unavailable)
    await expect(store.write((tx) => count(tx, 1))).rejects.toMatchObject({
      ...unavailable,
      message: 'There is no connection to the storage: try again',
    })
    proxy.mode = 'pass'
    await store.write((tx) => count(tx, 1))
    expect(await versions()).toEqual([2, 1])
  })

  test('[POSTGRES-6] are answered as unavailable when their connection is lost, and leave nothing', async () => {
    let runs = 0
    const writing = store.write(async (tx) => {
      runs++
      await count(tx, 1)
      proxy.mode = 'down'
      await count(tx, 2)
    })
    await expect(writing).rejects.toMatchObject(unavailable)
    proxy.mode = 'pass'
    expect(await versions()).toEqual([1, 1])
    expect(runs).toBe(1)
  })

  test('[POSTGRES-7] are not run again when the answer to their commit is lost', async () => {
    let runs = 0
    const writing = store.write(async (tx) => {
      runs++
      note(tx, 'usr1')
      await count(tx, 1)
      proxy.cutAfter('commit')
    })
    await expect(writing).rejects.toMatchObject(unavailable)
    expect(runs).toBe(1)
    expect(events).toEqual([])
    // The commit had arrived: run again, the work would have counted twice.
    await expect.poll(versions).toEqual([2, 1])
  })

  test('[POSTGRES-10] fail as a whole when work goes on after a failure', async () => {
    const writing = store.write(async (tx) => {
      await count(tx, 1)
      await tx.users.insert(newUser(2)).catch(() => {})
    })
    await expect(writing).rejects.toThrow('goes on after a failed statement')
    expect(await versions()).toEqual([1, 1])
  })

  describe('that end with the record that they store', () => {
    const last = { ...maker, isLast: true }
    let schema: TableSchema

    beforeEach(async () => {
      const base = newBase(`bse${Date.now()}x${Math.random()}`)
      const table = newTable(base.id)
      await store.write(async (tx) => {
        await tx.bases.insert(base)
        await tx.tables.insert(table, [newField(table, 1, 'singleLineText', { unique: true })])
      })
      schema = await store.read((tx) => tx.fields.schemaOf(table))
    })

    const insert = (tx: WriteTx, id: string, cell: string) =>
      tx.recordWriter.insert(schema, [newRecord(id, [cell])], last)

    const ids = () =>
      store.read(async (tx) => {
        const found = await tx.records.findAll(schema, ['rec1', 'rec2', 'rec3'], 'none')
        return found.records.map(({ id }) => id)
      })

    test('[POSTGRES-162] keep it, and tell of it', async () => {
      const numbers = await store.write((tx) => {
        note(tx, 'usr1')
        return insert(tx, 'rec1', 'a')
      })
      expect([numbers, await ids(), events.length]).toEqual([[1], ['rec1'], 1])
    })

    test('[POSTGRES-162] change nothing when it is refused, and the connection goes on', async () => {
      await store.write((tx) => insert(tx, 'rec1', 'same'))
      events.length = 0
      const adding = store.write(async (tx) => {
        note(tx, 'usr1')
        await count(tx, 1)
        await insert(tx, 'rec2', 'same')
      })
      await expect(adding).rejects.toMatchObject({ code: 'validation_error' })
      expect([await versions(), await ids(), events]).toEqual([[1, 1], ['rec1'], []])
      await store.write((tx) => insert(tx, 'rec3', 'other'))
      expect(await ids()).toEqual(['rec1', 'rec3'])
    })

    test('[POSTGRES-162] are not run again when the answer to it is lost', async () => {
      let runs = 0
      const writing = store.write(async (tx) => {
        runs++
        await count(tx, 1)
        proxy.cutAfter('commit')
        await insert(tx, 'rec1', 'a')
      })
      await expect(writing).rejects.toMatchObject(unavailable)
      expect(runs).toBe(1)
      await expect.poll(ids).toEqual(['rec1'])
    })

    test('[POSTGRES-162] do nothing after it', async () => {
      const writing = store.write(async (tx) => {
        await insert(tx, 'rec1', 'a')
        await count(tx, 1)
      })
      await expect(writing).rejects.toThrow('nothing follows the last statement')
      expect(await versions()).toEqual([1, 1])
    })
  })
})
