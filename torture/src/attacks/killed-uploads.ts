import { randomBytes, randomInt } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Target } from '../attack.ts'
import { FileTable, incomingFiles } from '../file-table.ts'

/** Milliseconds from the start of a server to the end of its first sweep. */
const sweptAfterMs = 65_000

export const killedUploads: Attack = {
  name: 'killed-uploads',
  about: 'the process is killed again and again while files come: no half of one, none lost',
  interrupts: true,
  run: async (target) => {
    const { newAttacker, kill, restart, isShort, fail, say } = target
    const table = await FileTable.open(target, await newAttacker('sender'))
    let isSending = true
    const send = async (index: number) => {
      while (isSending) {
        try {
          const [recordId = ''] = await table.addRecords(1)
          // Some take so long that the end comes in their middle.
          const bytes = randomBytes(randomInt(index === 0 ? 30_000_000 : 1_000_000))
          await table.keep(recordId, bytes, index % 2 === 1)
        } catch (error) {
          // Killed before it answered: then nothing was promised. A refusal would be something else.
          if ((error as { code?: string }).code !== undefined) fail(String(error))
          await pause(20)
        }
      }
    }
    const senders = Array.from({ length: 6 }, (_, index) => send(index))
    let left = 0
    for (let turn = 0; turn < (isShort ? 1 : 15); turn++) {
      await pause(isShort ? 500 : randomInt(200, 1_500))
      await kill()
      left = (await incomingFiles(target.dataDir)).length
      await restart()
    }
    isSending = false
    await Promise.all(senders)
    const count = await table.check()
    say(`${table.acknowledged.size} files acknowledged, ${count} there, ${left} left half`)
    if (!isShort) await checkSweep(target)
  },
}

/** What the killed processes left is removed once it is a day old. */
async function checkSweep({ dataDir, kill, restart, fail }: Target): Promise<void> {
  await kill()
  const dayAgo = Date.now() / 1_000 - 25 * 3_600
  for (const file of await incomingFiles(dataDir)) await utimes(file, dayAgo, dayAgo)
  await restart()
  await pause(sweptAfterMs)
  const left = await incomingFiles(dataDir)
  if (left.length > 0) fail(`${left.length} files of killed processes were still there`)
}
