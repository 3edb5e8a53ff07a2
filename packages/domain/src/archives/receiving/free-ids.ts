import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { WriteTx } from '../../store.ts'

/** Jobs that take away what was deleted for good, by the ids that it had. */
const removals = ['purge-base', 'purge-space', 'remove-history', 'forget-fields']

/** Throws `conflict` where something has one of the ids, in the trash too, or where what had them may still be taken away. */
export async function requireFreeIds(
  { bases, jobs }: Pick<WriteTx, 'bases' | 'jobs'>,
  ids: readonly string[],
): Promise<void> {
  await requireNoneTaken({ bases }, ids)
  for (const kind of removals) {
    if (!(await jobs.hasKind(kind))) continue
    throw new DomainError(
      'conflict',
      'What was deleted for good is still being taken away: try again in a minute',
    )
  }
}

/** Throws `conflict` where something has one of the ids, in the trash too. */
export async function requireNoneTaken(
  { bases }: Pick<WriteTx, 'bases'>,
  ids: readonly string[],
): Promise<void> {
  const taken = await bases.findTaken(ids)
  if (taken.length > 0) {
    const named = taken.slice(0, limits.problemsNamed).join(', ')
    throw new DomainError(
      'conflict',
      `The ids of an archive are kept only where nothing has them yet: ${named}`,
    )
  }
}
