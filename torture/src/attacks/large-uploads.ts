import { openAsBlob } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { FileTable } from '../file-table.ts'

const megabyte = 1024 * 1024

/** Bytes of the file that is sent first: the garbage of so many pieces is what any file leaves until it is collected. */
const firstBytes = 64 * megabyte

/** Bytes of memory that the server may hold beside what it held while the first file came. */
const growth = 64 * megabyte

export const largeUploads: Attack = {
  name: 'large-uploads',
  about: 'a file of 1 GiB, as a form and by itself, which must not fill the memory',
  storages: ['sqlite'],
  isWholeOnly: true,
  environment: { MAX_ATTACHMENT_BYTES: String(2 * 1024 * megabyte) },
  run: async (target) => {
    const { newAttacker, watchMemory, fail, say } = target
    const table = await FileTable.open(target, await newAttacker('sender'))
    const [first = '', second = '', third = ''] = await table.addRecords(3)
    const folder = await mkdtemp(join(tmpdir(), 'gateleg-large-'))
    try {
      const resting = watchMemory()
      await table.upload(first, await blobOf(join(folder, 'first'), firstBytes))
      const before = resting.stop()
      const large = await blobOf(join(folder, 'large'), 1024 * megabyte)
      for (const way of ['upload', 'uploadApart'] as const) {
        const watched = watchMemory()
        const startMs = performance.now()
        await table[way](way === 'upload' ? second : third, large)
        const seconds = ((performance.now() - startMs) / 1_000).toFixed(1)
        const more = watched.stop() - before
        say(`${way}: ${seconds} s, ${Math.round(more / megabyte)} MiB of memory more`)
        if (more > growth) fail(`${way} took ${Math.round(more / megabyte)} MiB of memory more`)
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

/** A file of that many bytes, which take no room. */
async function blobOf(file: string, bytes: number): Promise<Blob> {
  const handle = await open(file, 'wx')
  await handle.truncate(bytes)
  await handle.close()
  return openAsBlob(file)
}
