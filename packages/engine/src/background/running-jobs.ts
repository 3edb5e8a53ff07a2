import { HeldJobs } from '@gateleg/domain/jobs/held-jobs'
import { type JobWork, runJobs } from '@gateleg/domain/jobs/run-next-job'
import type { ErrorListener } from './background-errors.ts'
import { type Background, JobRunner, sideBySide } from './job-runner.ts'

/** The runners of a storage's jobs. */
export interface RunningJobs {
  /** Both runners. */
  readonly all: Background
  /** The runner of the jobs that aren't stepwise. */
  readonly others: Background
}

/**
 * Starts the runners. A stepwise job may take minutes over one statement, such as making an index: these jobs have a
 * runner of their own, so that no other job waits for them.
 */
export async function startJobs(
  ports: Parameters<typeof runJobs>[0],
  onError: ErrorListener,
): Promise<RunningJobs> {
  const { jobKinds } = await import('@gateleg/domain/job-kinds')
  let isStopping = false
  // A stepwise job that is interrupted when the engine closes fails by that, which is no error to report.
  const onFailure = (error: unknown) => {
    if (!isStopping) onError(error)
  }
  const start = (given: JobWork) => {
    const work = { ...given, held: new HeldJobs() }
    return new JobRunner((mayGoOn) => runJobs(ports, work, mayGoOn), work.onFailure)
  }
  const others = start({ kinds: jobKinds, lane: 'others', onFailure: onError })
  const stepwise = start({ kinds: jobKinds, lane: 'stepwise', onFailure })
  const both = sideBySide([others, stepwise])
  const stop = () => {
    isStopping = true
    return both.stop()
  }
  return { all: { wake: () => both.wake(), stop }, others }
}
