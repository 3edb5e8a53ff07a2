import type { JobKind } from '@gateleg/domain/jobs/job-kind'
import { newUser } from '@gateleg/testing/factories/stored-rows'

/** Jobs each of which counts its runs in the version of a user of its own. */
export const jobNames: readonly string[] = Array.from({ length: 40 }, (_, index) => `job${index}`)

/** The user in whose version the runs of a job are counted; one that never ran has the version 1. */
export function counterOf(jobName: string) {
  return newUser(jobNames.indexOf(jobName))
}

/** The kinds of these jobs; after a run, none is due for an hour. `whenRun` is awaited inside of the run. */
export function countedKinds(
  whenRun: (jobName: string) => Promise<void> = async () => {},
): ReadonlyMap<string, JobKind> {
  const kinds = jobNames.map(
    (name): JobKind => ({
      name,
      isRecurring: true,
      periodMs: 3_600_000,
      run: async ({ tx }) => {
        const user = await tx.users.find(counterOf(name).id, 'update')
        if (user) await tx.users.update({ ...user, version: user.version + 1 })
        await whenRun(name)
        return 'later'
      },
    }),
  )
  return new Map(kinds.map((kind) => [kind.name, kind]))
}
