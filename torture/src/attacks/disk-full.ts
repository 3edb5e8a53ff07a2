import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Attack } from '../attack.ts'

const run = promisify(execFile)

export const diskFull: Attack = {
  name: 'disk-full',
  about:
    'the disk fills up: refusals, nothing acknowledged is lost, and it goes on with room again',
  storages: ['sqlite'],
  interrupts: true,
  run: async ({ newAttacker, kill, restart, dataDir, fail, say }) => {
    await kill()
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', dataDir])
    } catch {
      say('left out: it takes the right to mount a small disk')
      await restart()
      return
    }
    try {
      await restart()
      const { api, baseId } = await newAttacker('filler')
      const { id: tableId } = await api.tables.createTable({ baseId, records: [] })
      const acknowledged: string[] = []
      let refusals = 0
      while (refusals < 5) {
        try {
          const records = [{ fields: { Name: 'x'.repeat(100_000) } }]
          const answer = await api.records.createRecords({ tableId, records })
          acknowledged.push(...answer.records.map(({ id }) => id))
        } catch (error) {
          if ((error as { code?: string }).code === undefined) throw error
          refusals++
        }
      }
      for (const recordId of acknowledged) await api.records.getRecord({ tableId, recordId })
      say(`${acknowledged.length} writes acknowledged before the disk was full`)
      await run('mount', ['-o', 'remount,size=64m', dataDir])
      await pause(1_000)
      await api.records.createRecords({ tableId, records: [{ fields: {} }] })
    } catch (error) {
      fail(String(error))
    } finally {
      await kill()
      await run('umount', [dataDir])
      await restart()
    }
  },
}
