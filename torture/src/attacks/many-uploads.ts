import { randomBytes } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { FileTable } from '../file-table.ts'

export const manyUploads: Attack = {
  name: 'many-uploads',
  about: '200 files of 1 MB at once: each is there, or was refused with 503',
  isWholeOnly: true,
  run: async (target) => {
    const { newAttacker, fail, say } = target
    const table = await FileTable.open(target, await newAttacker('sender'))
    const recordIds = await table.addRecords(200)
    const refusals: unknown[] = []
    const sent = recordIds.map((recordId, index) =>
      table
        .keep(recordId, randomBytes(1_000_000), index % 4 === 3)
        .catch((error: unknown) => refusals.push(error)),
    )
    await Promise.all(sent)
    const others = refusals.filter((error) => (error as { code?: string }).code !== 'service_busy')
    if (others.length > 0) fail(`${others.length} ended otherwise: ${String(others[0])}`)
    const count = await table.check()
    say(`${count} files are there, ${refusals.length} were refused`)
    if (count !== recordIds.length - refusals.length) fail(`${count} files are there`)
  },
}
