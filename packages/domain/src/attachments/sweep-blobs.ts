import type { Ports } from '../ports.ts'
import { unusedBefore } from './remove-unused-files.ts'

/**
 * Removes blobs that nothing leads to: those whose files were forgotten, and those of uploads that ended between their bytes
 * and what is known of them. A path is never given twice, so one that nobody knew a day after it was put will never
 * be known. Ends early when `mayGoOn` says so; answers how many were removed.
 */
export async function sweepBlobs(
  { store, blobs, clock }: Pick<Ports, 'store' | 'blobs' | 'clock'>,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  const before = unusedBefore(clock.now())
  let removed = 0
  for await (const page of blobs.list()) {
    const old = page.flatMap(({ path, putTime }) => (putTime < before ? [path] : []))
    const known = await store.read(async (tx) => {
      const files = await tx.attachments.knownPaths(old)
      return new Set([...files, ...(await tx.thumbnails.knownPaths(old))])
    })
    for (const path of old) {
      if (!mayGoOn()) return removed
      if (known.has(path)) continue
      await blobs.remove(path)
      removed++
    }
  }
  return removed
}
