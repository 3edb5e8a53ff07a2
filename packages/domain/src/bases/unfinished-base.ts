import { toTimestamp } from '../clock.ts'
import { whileRenewing } from '../jobs/while-renewing.ts'
import type { Ports } from '../ports.ts'
import type { WriteTx } from '../store.ts'
import type { Base } from './base.ts'

/**
 * The space of a base that is still being made: there is none of that id, so nobody sees the base. A base is made in a
 * transaction before the one that fills it and gives it its space, because a distributed database can't make the place
 * for tables and the tables in one.
 */
export const spaceOfUnfinished = ''

/** The job that takes away a base whose maker didn't come to an end. */
export const dropUnfinishedKind = 'drop-unfinished-base'

/**
 * Milliseconds after which a base that isn't finished was given up: its maker, were it alive, would have held it for longer. What
 * takes longer to be begun is refused; what has begun holds the base.
 */
const givenUpAfterMs = 120_000

/** Milliseconds after which a base is held for longer while it is made: each time is a write. */
const heldAgainMs = 30_000

/** Makes the place of a base that nobody sees until it is finished; should that not happen, it goes again. */
export async function beginBase(
  tx: Pick<WriteTx, 'bases' | 'jobs'>,
  base: Omit<Base, 'spaceId' | 'order' | 'version' | 'lastModifiedTime' | 'icon'>,
): Promise<void> {
  const { createdTime } = base
  await tx.bases.insert({
    ...base,
    spaceId: spaceOfUnfinished,
    icon: null,
    order: 0,
    lastModifiedTime: createdTime,
    version: 1,
  })
  await tx.jobs.hasten({
    id: jobOf(base.id),
    kind: dropUnfinishedKind,
    dueTime: toTimestamp(Date.parse(createdTime) + givenUpAfterMs),
    failures: 0,
  })
}

function jobOf(baseId: string): string {
  return `${dropUnfinishedKind}:${baseId}`
}

/** Makes what is in a base; for as long as that takes, the base isn't given up. */
export async function holdingBase<T>(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  baseId: string,
  make: () => Promise<T>,
): Promise<T> {
  const renew = () => {
    const dueTime = toTimestamp(clock.now() + givenUpAfterMs)
    return store.write((tx) => tx.jobs.postpone(jobOf(baseId), dueTime))
  }
  const made = await whileRenewing({ everyMs: heldAgainMs, renew }, make)
  // It is finished in a transaction of its own, which may have to wait.
  await renew()
  return made
}
