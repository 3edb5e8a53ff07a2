import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@gateleg/domain/limits'
import { beforeEach, describe, expect, test } from 'vitest'
import { LogSync, logOf } from './log-sync.ts'

describe('commits of a log', () => {
  let timeMs: number
  /** What a sync takes of the clock. */
  let syncMs: number
  let atOnce: number
  let syncs: PromiseWithResolvers<void>[]
  let log: LogSync

  beforeEach(() => {
    timeMs = 0
    syncMs = 0
    atOnce = 0
    syncs = []
    const file = {
      syncAtOnce: () => {
        atOnce++
        timeMs += syncMs
      },
      sync: () => {
        const sync = Promise.withResolvers<void>()
        syncs.push(sync)
        return sync.promise
      },
      close: () => {},
    }
    log = new LogSync(file, () => timeMs)
  })

  /** Has the disk known for being slow. */
  const slowDown = () => {
    syncMs = 100
    expect(log.committed()).toBeUndefined()
  }

  test('[SQLITE-62] are synced at once while the disk is quick', () => {
    syncMs = limits.syncMicrosecondsAtOnce / 1_000
    for (let commit = 0; commit < 10; commit++) expect(log.committed()).toBeUndefined()
    expect(atOnce).toBe(10)
    expect(syncs).toEqual([])
  })

  test('[SQLITE-62] are synced at once again where a slow disk has become quick', async () => {
    slowDown()
    for (let commit = 0; commit < 100 && atOnce === 1; commit++) {
      const synced = log.committed()
      syncs.at(-1)?.resolve()
      await synced
    }
    expect(atOnce).toBe(2)
    expect(syncs.length).toBeGreaterThan(1)
  })

  test('[SQLITE-62] are synced together where they were made before the sync began', async () => {
    slowDown()
    const first = log.committed()
    const others = [log.committed(), log.committed()]
    syncs[0]?.resolve()
    await first
    expect(syncs).toHaveLength(2)
    syncs[1]?.resolve()
    await Promise.all(others)
    await log.idle()
    expect(syncs).toHaveLength(2)
  })

  test('[SQLITE-63] are waited for by those who may have read them, and by nobody else', async () => {
    slowDown()
    expect(log.whenSynced(log.commits)).toBeUndefined()
    const before = log.commits
    void log.committed()
    expect(log.whenSynced(before)).toBeUndefined()
    let isTold = false
    const told = log.whenSynced(log.commits)?.then(() => {
      isTold = true
    })
    await Promise.resolve()
    expect(isTold).toBe(false)
    syncs[0]?.resolve()
    await told
    expect(isTold).toBe(true)
    await log.idle()
  })

  test('[SQLITE-64] are promised no more after a sync has failed', async () => {
    slowDown()
    const first = log.committed()
    const second = log.committed()
    syncs[0]?.reject(new Error('EIO'))
    await expect(first).rejects.toMatchObject({ kind: 'unreadable', cause: { message: 'EIO' } })
    await expect(second).rejects.toBe(log.failure)
    await expect(log.committed()).rejects.toBe(log.failure)
    await log.idle()
    expect(syncs).toHaveLength(1)
  })
})

test('[SQLITE-9] syncs the log that is beside a file, and fails where it is gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  try {
    const file = join(folder, 'workspace.db')
    expect(() => logOf(file).syncAtOnce()).toThrow('ENOENT')
    await expect(logOf(file).sync()).rejects.toThrow('ENOENT')
    writeFileSync(`${file}-wal`, 'frames')
    const log = logOf(file)
    log.syncAtOnce()
    await log.sync()
    log.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
