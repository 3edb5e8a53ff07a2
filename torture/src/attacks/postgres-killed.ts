import { setTimeout as pause } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { isRefused } from '../fill-table.ts'

export const postgresKilled: Attack = {
  name: 'postgres-killed',
  about: 'PostgreSQL is killed and comes back: refusals meanwhile, answers afterwards',
  storages: ['postgres'],
  interrupts: true,
  run: async ({ newAttacker, storage, isShort, fail }) => {
    const { api, baseId } = await newAttacker('widow')
    const { id: tableId } = await api.tables.createTable({ baseId })
    const { postgres } = storage
    if (!postgres) return
    for (let turn = 0; turn < (isShort ? 1 : 5); turn++) {
      await postgres.kill()
      const isHidden = await isRefused(api.records.listRecords({ tableId }))
      if (!isHidden) fail('records were read from a database that is gone')
      await postgres.restart()
      for (let look = 0; ; look++) {
        if (!(await isRefused(api.records.listRecords({ tableId })))) break
        if (look > 100) throw new Error('the server did not find PostgreSQL again')
        await pause(200)
      }
    }
  },
}
