import { jobKinds } from './job-kinds.ts'

// Published as the list that it makes, as `use-case-names.ts` is.

/** The names of the kinds of jobs of which there is always one. */
export const recurringJobs: readonly string[] = [...jobKinds.values()].flatMap((kind) =>
  kind.isRecurring ? [kind.name] : [],
)
