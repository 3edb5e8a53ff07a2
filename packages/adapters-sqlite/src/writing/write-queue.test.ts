import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { backgroundCaller } from '@gateleg/domain/access/caller-of'
import { limits } from '@gateleg/domain/limits'
import { ProcessorTurns } from '@gateleg/sql/core/processor-turns'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeDurable } from '../connection/open-writer.ts'
import { SqliteConnection } from '../connection/sqlite-connection.ts'
import { findDamage } from '../file/find-damage.ts'
import { LogSync, type SyncedFile } from './log-sync.ts'
import { WriteQueue } from './write-queue.ts'

/** A connection that tells how often it committed. */
class CountingConnection extends SqliteConnection {
  commits = 0

  override control(sql: string): void {
    super.control(sql)
    if (sql === 'COMMIT') this.commits++
  }
}

let folder: string
let file: string
let database: Database.Database
let connection: CountingConnection
let queue: WriteQueue
let timeMs: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
  database = new Database(file)
  makeDurable(database)
  database.pragma('foreign_keys = ON')
  database.exec(`
    create table notes (id integer primary key, text text unique);
    create table replies (note integer references notes (id) deferrable initially deferred);
  `)
  timeMs = 0
  const loop = { now: () => timeMs, nextTurn: (call: () => void) => void setImmediate().then(call) }
  connection = new CountingConnection(database, { turns: new ProcessorTurns(loop) })
  queue = new WriteQueue(connection, undefined, () => timeMs)
})

afterEach(async () => {
  await queue.idle()
  connection.close()
  expect(findDamage(file)).toEqual([])
  rmSync(folder, { recursive: true })
})

function addNote(id: number, text = `note ${id}`): Promise<number> {
  return connection.run('insert into notes values (?, ?)', [id, text])
}

/** The ids of the notes, as another connection sees them: nothing that isn't committed. */
function committedIds(): number[] {
  const other = new Database(file, { readonly: true })
  const ids = other.prepare('select id from notes order by id').pluck().all() as number[]
  other.close()
  return ids
}

describe('group commit', () => {
  test('[SQLITE-4] makes one commit of writes that wait together', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => index)
    await Promise.all(ids.map((id) => queue.write(() => addNote(id))))
    expect(committedIds()).toEqual(ids)
    expect(connection.commits).toBe(1)
  })

  test('[SQLITE-4] shares a commit among those that came while the one before was under way', async () => {
    const first = queue.write(async () => {
      await addNote(0)
      for (let id = 1; id < 50; id++) later.push(queue.write(() => addNote(id)))
    })
    const later: Promise<unknown>[] = []
    await first
    expect(committedIds()).toEqual([0])
    await Promise.all(later)
    expect(connection.commits).toBe(2)
  })

  test('[SQLITE-4] bounds how many share a commit', async () => {
    const count = 2 * limits.writesPerCommit + 1
    await Promise.all(Array.from({ length: count }, (_, id) => queue.write(() => addNote(id))))
    expect(connection.commits).toBe(3)
  })

  test('[SQLITE-4] commits when its writes have taken a while, before others begin', async () => {
    const committed: number[][] = []
    const write = (id: number, ms: number) =>
      queue.write(async () => {
        committed.push(committedIds())
        await addNote(id)
        timeMs += ms
      })
    await Promise.all([write(1, 1), write(2, limits.commitMs), write(3, 1), write(4, 1)])
    expect(committed).toEqual([[], [], [1, 2], [1, 2]])
    expect(connection.commits).toBe(2)
  })

  /** A queue beside a disk whose syncs take 10 ms of the clock, and whether time goes by while it looks for company. */
  function queueWithDisk() {
    const clock = { isTicking: false }
    const syncAtOnce = () => {
      timeMs += 10
    }
    const disk: SyncedFile = { syncAtOnce, sync: async () => syncAtOnce(), close: () => {} }
    const sync = new LogSync(disk, () => timeMs)
    const now = () => (clock.isTicking ? timeMs++ : timeMs)
    return { clock, queue: new WriteQueue(connection, { reopen: () => connection, sync }, now) }
  }

  test('[SQLITE-47] waits for those who shared the commit before, as they may write again', async () => {
    const { queue } = queueWithDisk()
    const writeTwice = async (id: number) => {
      await queue.write(() => addNote(id))
      for (let turns = 0; turns < id; turns++) await setImmediate()
      await queue.write(() => addNote(id + 100))
    }
    await Promise.all([0, 1, 2, 3].map(writeTwice))
    expect(connection.commits).toBe(2)
  })

  test('[SQLITE-47] waits for a part of the time of its sync, and not after a commit of a single write', async () => {
    const { clock, queue } = queueWithDisk()
    const waitBefore = async (id: number) => {
      const beganMs = timeMs
      let waitedMs = 0
      clock.isTicking = true
      await queue.write(async () => {
        clock.isTicking = false
        waitedMs = timeMs - beganMs
        await addNote(id)
      })
      return waitedMs
    }
    await Promise.all([1, 2].map((id) => queue.write(() => addNote(id))))
    const waitedMs = await waitBefore(3)
    expect(waitedMs).toBeGreaterThanOrEqual(10 * (limits.commitWaitPercent / 100))
    expect(waitedMs).toBeLessThan(10)
    expect(await waitBefore(4)).toBeLessThan(3)
  })

  describe('on a slow disk', () => {
    /** The syncs that are under way: each is ended by a call. */
    let syncs: PromiseWithResolvers<void>[]
    let slow: WriteQueue

    beforeEach(async () => {
      syncs = []
      const sync = () => {
        syncs.push(Promise.withResolvers<void>())
        return syncs.at(-1)?.promise as Promise<void>
      }
      const syncAtOnce = () => {
        timeMs += 1_000
      }
      const log = new LogSync({ syncAtOnce, sync, close: () => {} }, () => timeMs)
      slow = new WriteQueue(connection, { reopen: () => connection, sync: log }, () => timeMs)
      // Known to be slow from here on.
      await slow.write(() => addNote(0))
    })

    const someTurns = async () => {
      for (let turns = 0; turns < 20; turns++) await setImmediate()
    }

    test('[SQLITE-9] [SQLITE-62] answers no write before its commit was synced, and goes on meanwhile', async () => {
      const answered: number[] = []
      const write = (id: number) => slow.write(() => addNote(id)).then(() => answered.push(id))
      const first = write(1)
      await someTurns()
      expect(committedIds()).toEqual([0, 1])
      expect(answered).toEqual([])
      const later = [write(2), write(3)]
      await someTurns()
      expect(syncs).toHaveLength(1)
      syncs[0]?.resolve()
      await first
      await someTurns()
      expect(answered).toEqual([1])
      expect(committedIds()).toEqual([0, 1, 2, 3])
      expect(connection.commits).toBe(3)
      syncs[1]?.resolve()
      await Promise.all(later)
      await slow.idle()
    })

    test('[SQLITE-64] tells those whose commit was not synced, and all who write after them', async () => {
      const first = slow.write(() => addNote(1))
      const failed = expect(first).rejects.toMatchObject({ kind: 'unreadable' })
      await someTurns()
      const second = expect(slow.write(() => addNote(2))).rejects.toMatchObject({
        kind: 'unreadable',
      })
      await someTurns()
      syncs[0]?.reject(new Error('EIO'))
      await failed
      await second
      await expect(slow.write(() => addNote(3))).rejects.toMatchObject({ kind: 'unreadable' })
      expect(syncs).toHaveLength(1)
      expect(committedIds()).not.toContain(3)
      await slow.idle()
    })
  })

  test('[SQLITE-46] may do more while no other write waits and it is short', async () => {
    const answers = async (meanwhile: () => void) => {
      let said: (boolean | undefined)[] = []
      await queue.write(async () => {
        const before = connection.mayDoMore?.()
        meanwhile()
        said = [before, connection.mayDoMore?.()]
      })
      return said
    }
    let other: Promise<unknown> | undefined
    const another = () => {
      other = queue.write(() => addNote(1))
    }
    expect(await answers(() => {})).toEqual([true, true])
    expect(await answers(another)).toEqual([true, false])
    await other
    expect(
      await answers(() => {
        timeMs += limits.transactionMs
      }),
    ).toEqual([true, false])
    expect(await answers(() => {})).toEqual([true, true])
    connection.beginWrite(true, () => false)
    const rewritten = limits.lengthRewrittenPerWrite / 2
    for (let bytes = 0; bytes < rewritten; bytes += limits.lengthRewrittenAtOnce) {
      expect(connection.mayDoMore?.()).toBe(true)
      connection.willRewrite?.(limits.lengthRewrittenAtOnce)
    }
    expect(connection.mayDoMore?.()).toBe(false)
  })

  test('[SQLITE-44] begins a commit with work of the background, and lets it join none', async () => {
    const seen: string[] = []
    const later: Promise<unknown>[] = []
    const write = (id: number, caller: string, then = () => {}) =>
      queue.write(
        async () => {
          seen.push(`${caller} after ${committedIds().length}`)
          await addNote(id)
          then()
        },
        { caller },
      )
    const beginLong = () => {
      timeMs += 2 * limits.commitMs
      later.push(write(3, 'ada'), write(4, backgroundCaller), write(5, 'ben'))
    }
    await Promise.all([write(1, 'ada'), write(2, backgroundCaller, beginLong)])
    await Promise.all(later)
    // What came while the background was at work shares its commit, up to what the background does next.
    expect(seen).toEqual([
      'ada after 0',
      'background after 1',
      'ada after 1',
      'background after 3',
      'ben after 3',
    ])
    expect(connection.commits).toBe(3)
  })

  test('[SQLITE-26] has callers take turns, those who come meanwhile too', async () => {
    const done: string[] = []
    const write = (name: string) =>
      queue.write(
        async () => {
          done.push(name)
          if (name === 'a1') for (const other of ['b1', 'b2', 'c1']) later.push(write(other))
          timeMs += limits.commitMs
        },
        { caller: name.slice(0, 1) },
      )
    const later: Promise<unknown>[] = []
    await Promise.all(['a1', 'a2', 'a3', 'a4'].map(write))
    await Promise.all(later)
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  test('[SQLITE-26] answers a short write of another caller before the long ones that came first', async () => {
    const answered: string[] = []
    const write = async (name: string, ms: number) => {
      await queue.write(
        async () => {
          timeMs += ms
        },
        { caller: name.slice(0, 1) },
      )
      answered.push(name)
    }
    await Promise.all([...['a1', 'a2', 'a3', 'a4'].map((name) => write(name, 500)), write('b1', 1)])
    expect(answered).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
  })

  test('[SQLITE-5] undoes a failing write alone, all of it', async () => {
    const outcomes = await Promise.allSettled([
      queue.write(() => addNote(1)),
      queue.write(async () => {
        await addNote(2)
        await addNote(3, 'note 1')
      }),
      queue.write(async () => {
        await addNote(4)
        throw new Error('changed my mind')
      }),
      queue.write(() => addNote(5)),
    ])
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { kind: 'unique' } },
      { status: 'rejected', reason: { message: 'changed my mind' } },
      { status: 'fulfilled' },
    ])
    expect(committedIds()).toEqual([1, 5])
    expect(connection.commits).toBe(1)
  })

  test('[SQLITE-5] always keeps exactly what did not fail', async () => {
    const write = fc.record({ id: fc.nat(40), more: fc.nat(3), fails: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 30 }), async (writes) => {
        await queue.write(() => connection.run('delete from notes', []))
        const expected = new Set<number>()
        const outcomes = await Promise.allSettled(
          writes.map(({ id, more, fails }) =>
            queue.write(async () => {
              const ids = Array.from({ length: more + 1 }, (_, index) => id + index)
              for (const each of ids) await addNote(each)
              if (fails) throw new Error('refused')
              return ids
            }),
          ),
        )
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') for (const id of outcome.value) expected.add(id)
        }
        expect(committedIds()).toEqual([...expected].sort((a, b) => a - b))
        // Of two that write the same, the first one that doesn't fail by itself is kept.
        const [first] = writes.filter(({ fails }) => !fails)
        if (first) expect(expected).toContain(first.id)
      }),
      { numRuns: 50 },
    )
  })

  test('[SQLITE-6] answers a write when others can see it', async () => {
    const seen: number[][] = []
    await Promise.all(
      [1, 2, 3].map(async (id) => {
        await queue.write(async () => {
          await addNote(id)
          expect(committedIds()).toEqual([])
        })
        seen.push(committedIds())
      }),
    )
    expect(seen).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ])
  })
})

describe('failing commits', () => {
  test('[SQLITE-7] fails every write that shares a commit that fails', async () => {
    const outcomes = await Promise.allSettled([
      queue.write(() => addNote(1)),
      // The storage looks at a deferred reference when it commits, not before.
      queue.write(() => connection.run('insert into replies values (99)', [])),
    ])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { kind: 'foreignKey' } },
      { status: 'rejected', reason: { kind: 'foreignKey' } },
    ])
    expect(committedIds()).toEqual([])
    await queue.write(() => addNote(2))
    expect(committedIds()).toEqual([2])
  })

  test('[SQLITE-8] keeps nothing of a transaction that ran out of space', async () => {
    const pages = database.pragma('page_count', { simple: true }) as number
    database.pragma(`max_page_count = ${pages + 4}`)
    const outcomes = await Promise.allSettled([
      queue.write(() => addNote(1)),
      queue.write(() => addNote(2, 'x'.repeat(100_000))),
      queue.write(() => addNote(3)),
    ])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { kind: 'unavailable' } },
      { status: 'rejected', reason: { kind: 'full' } },
      { status: 'rejected', reason: { kind: 'unavailable' } },
    ])
    expect(committedIds()).toEqual([])
    await queue.write(() => addNote(4))
    expect(committedIds()).toEqual([4])
  })
})
