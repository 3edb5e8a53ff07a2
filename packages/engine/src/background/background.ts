import type { SweepPorts } from '@gateleg/domain/attachments/unused/sweep-blobs'
import type { EventName } from '@gateleg/domain/events/event'
import type { EventHub } from '../event-hub.ts'
import type { LateCalls } from '../late-calls.ts'
import type { LatePorts } from '../wiring/late-ports.ts'
import { type BlobSweeper, sweepingIn } from './blob-sweeper.ts'
import type { Background } from './job-runner.ts'
import { beginLater } from './late-background.ts'
import { type RunningJobs, startJobs } from './running-jobs.ts'

/** Events after which there may be a job to do at once. */
const wakingEvents: ReadonlySet<EventName> = new Set([
  'calculation.scheduled',
  'calculation.finished',
  'import.started',
  'user.updated',
  'user.deleted',
  'base.deleted',
  'space.deleted',
])

interface BackgroundParts extends Pick<SweepPorts, 'owner'> {
  /** Whether this engine does jobs; if not, it only loads the code of the calls. */
  readonly doesJobs: boolean
  readonly calls: LateCalls
  /** Loads the ports of background work. */
  readonly loadPorts: () => ReturnType<LatePorts['load']>
  readonly events: EventHub
  readonly onError: (error: unknown) => void
}

/** Starts what an engine does by itself: it loads the code of its calls, does jobs and removes unused files. */
export function startBackground({
  doesJobs,
  calls,
  loadPorts,
  owner,
  events,
  onError,
}: BackgroundParts): { readonly runner: Background; readonly sweeper: BlobSweeper | undefined } {
  let jobs: RunningJobs | undefined
  const runner = beginLater(async () => {
    await calls.load()
    if (doesJobs) jobs = await startJobs(await loadPorts(), onError)
    return jobs?.all
  }, onError)
  if (!doesJobs) return { runner, sweeper: undefined }
  const sweeper = sweepingIn(async () => ({ ...(await loadPorts()), owner }), onError)
  // No event announces a stepwise job, and each look for one would take a writer's turn for nothing.
  events.subscribe(({ name }) => {
    if (wakingEvents.has(name)) jobs?.others.wake()
  })
  return { runner, sweeper }
}
