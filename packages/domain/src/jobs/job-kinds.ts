import { purgeBase, purgeSpace } from '../bases/purge-base.ts'
import { calculatePending } from '../calculations/calculate-pending.ts'
import { showNewName } from '../calculations/show-new-name.ts'
import { emptyColumns } from '../fields/conversion/empty-columns.ts'
import type { JobKind } from './job-kind.ts'
import { purgeExpired } from './purge-expired.ts'

/** All kinds of background work, by name. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map(
  [purgeExpired, calculatePending, showNewName, emptyColumns, purgeBase, purgeSpace].map((kind) => [
    kind.name,
    kind,
  ]),
)
