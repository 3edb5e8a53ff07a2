import { setTimeout as pause } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { listIds } from '../list-ids.ts'

export const kills: Attack = {
  name: 'kills',
  about: 'the process is killed again and again while it writes: nothing it acknowledged is lost',
  interrupts: true,
  run: async ({ newAttacker, kill, restart, isShort, fail, say }) => {
    const { api, baseId } = await newAttacker('writer')
    const { id: tableId } = await api.tables.createTable({ baseId, records: [] })
    const acknowledged: string[] = []
    let isWriting = true
    const write = async () => {
      while (isWriting) {
        try {
          const answer = await api.records.createRecords({ tableId, records: [{ fields: {} }] })
          acknowledged.push(...answer.records.map(({ id }) => id))
        } catch {
          // Killed before it answered: then nothing was promised.
          await pause(20)
        }
      }
    }
    const writers = Array.from({ length: 8 }, write)
    for (let turn = 0; turn < (isShort ? 2 : 20); turn++) {
      await pause(300)
      await kill()
      await restart()
    }
    isWriting = false
    await Promise.all(writers)
    const there = new Set(await listIds(api, tableId))
    const lost = acknowledged.filter((id) => !there.has(id)).length
    say(`${acknowledged.length} writes acknowledged, ${lost} lost`)
    if (lost > 0) fail(`${lost} acknowledged writes were lost`)
    const { problems } = await api.bases.verifyBase({ baseId })
    if (problems.length > 0) fail(`the base has problems: ${JSON.stringify(problems)}`)
  },
}
