import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Attack } from '../attack.ts'
import { FileTable, incomingFiles } from '../file-table.ts'

const run = promisify(execFile)

/** Size of the disk. */
const megabytes = 64

export const fullUploads: Attack = {
  name: 'full-uploads',
  about: 'the disk of the files fills up: 507, nothing acknowledged is lost, more fits with room',
  isWholeOnly: true,
  run: async (target) => {
    const { newAttacker, dataDir, fail, say } = target
    const folder = join(dataDir, 'attachments')
    await mkdir(folder, { recursive: true })
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
    } catch {
      say('left out: it takes the right to mount a small disk')
      return
    }
    try {
      const table = await FileTable.open(target, await newAttacker('filler'))
      const refusals: unknown[] = []
      const fill = async (isApart: boolean) => {
        while (refusals.length < 5) {
          const [recordId = ''] = await table.addRecords(1)
          await table
            .keep(recordId, randomBytes(1_500_000), isApart)
            .catch((error: unknown) => refusals.push(error))
        }
      }
      await Promise.all([fill(false), fill(true), fill(false)])
      const others = refusals.filter((one) => codeOf(one) !== 'insufficient_storage')
      if (others.length > 0) fail(`${others.length} ended otherwise: ${String(others[0])}`)
      const left = await incomingFiles(dataDir)
      if (left.length > 0) fail(`${left.length} files that were refused are still there`)
      say(`${await table.check()} files fitted, ${refusals.length} were refused`)
      await run('mount', ['-o', `remount,size=${megabytes * 2}m`, folder])
      const [recordId = ''] = await table.addRecords(1)
      await table.keep(recordId, randomBytes(1_500_000), false)
      await table.check()
    } finally {
      await run('umount', ['-l', folder])
    }
  },
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code
}
