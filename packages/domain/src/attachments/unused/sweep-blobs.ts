import type { Ports } from '../../ports.ts'
import { unusedBefore } from './remove-unused-files.ts'

/** Says to the operator that a blob store holds what other data may need. */
export class OtherFilesError extends Error {
  constructor(count: number) {
    super(
      `${count} of the stored files belong to other data that are, or were, served with the same folder or bucket. They are left as they are.`,
    )
    this.name = 'OtherFilesError'
  }
}

/** What a sweep of the blob store works with. */
export interface SweepPorts extends Pick<Ports, 'store' | 'blobs' | 'clock'> {
  /** What blobs of these data are told by; undefined where all are, as far as anybody knows. */
  readonly owner?: string | undefined
  /** Hears how many blobs were left because they are of other data. */
  readonly onOthers?: (count: number) => void
}

/**
 * Removes blobs that nothing leads to: those whose files were forgotten, pictures that users replaced or removed, and
 * those of uploads that ended between their bytes and what is known of them. A path is never given twice, so one that
 * nobody knew a day after it was put will never be known. What was put for another owner, or before the first account
 * was made, is of other data, such as those of a storage that was used before: it is left alone. Ends early when
 * `mayGoOn` says so; answers how many were removed.
 */
export async function sweepBlobs(
  { store, blobs, clock, owner, onOthers }: SweepPorts,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  const before = unusedBefore(clock.now())
  const first = await store.read((tx) => tx.users.firstCreatedTime())
  let removed = 0
  let others = 0
  for await (const page of blobs.list()) {
    const old = page.filter(({ putTime }) => putTime < before)
    const paths = old.map(({ path }) => path)
    const known = await store.read(async (tx) => {
      const files = await tx.attachments.knownPaths(paths)
      const thumbnails = await tx.thumbnails.knownPaths(paths)
      return new Set([...files, ...thumbnails, ...(await tx.avatars.knownPaths(paths))])
    })
    for (const { path, putTime, owner: putFor = owner } of old) {
      if (!mayGoOn()) return removed
      if (known.has(path)) continue
      if (putFor !== owner || first === undefined || putTime < first) {
        others++
        continue
      }
      await blobs.remove(path)
      removed++
    }
  }
  if (others > 0) onOthers?.(others)
  return removed
}
