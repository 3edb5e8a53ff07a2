import { workspaceScript } from '@gateleg/testing/arbitraries/workspace-step'
import { SeededIds } from '@gateleg/testing/doubles/seeded-ids'
import { SeededRandom } from '@gateleg/testing/doubles/seeded-random'
import { runWorkspaceScript } from '@gateleg/testing/models/workspace/run-workspace-script'
import type { WorkspaceStep } from '@gateleg/testing/models/workspace/workspace-step'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { type BaseWorld, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import fc from 'fast-check'
import { afterAll, test } from 'vitest'
import { jobKinds } from '../job-kinds.ts'
import { runNextJob } from '../jobs/run-next-job.ts'
import regressions from './workspace-regressions.json' with { type: 'json' }

/** Scripts that failed once, shrunk: each is run every time, before those that are random. */
const examples = regressions.map((steps): [readonly WorkspaceStep[]] => [
  steps as readonly WorkspaceStep[],
])

/** Scripts that SQLite runs; another storage runs so many times fewer, and so does the background. */
const scripts = Number(process.env.MODEL_SCRIPTS ?? 150)
const fewerElsewhere = 10
const fewerInBackground = 5

/** Storages that have held many tables are slow: after so many scripts, others begin on empty ones. */
const scriptsPerWorld = 10

/** Runs of the scripts that failed once, and of so many others. */
function withExamples(numRuns: number): fc.Parameters<[readonly WorkspaceStep[]]> {
  return { numRuns: numRuns + examples.length, examples, asyncReporter: tellScript }
}

/** Fails with the script in the form in which those that failed once are kept. */
async function tellScript(details: fc.RunDetails<[readonly WorkspaceStep[]]>): Promise<void> {
  if (!details.failed) return
  const [script] = details.counterexample ?? []
  const report = await fc.asyncDefaultReportMessage(details)
  const told = 'Mend it, then keep this in workspace-regressions.json:'
  throw new Error(`${report}\n\n${told}\n${JSON.stringify(script)}`)
}

/** Time for all scripts on a slow machine that has other work to do, and for shrinking one that fails. */
const timeoutMs = 1_200_000

describeOnEveryStorage('computed cells of tables that are changed at random', (storage) => {
  const numRuns = Math.ceil(storage.name === 'sqlite' ? scripts : scripts / fewerElsewhere)
  const random = new SeededRandom()
  let world: BaseWorld | undefined
  let baseIds: readonly string[] = []
  let runs = 0

  afterAll(() => world?.close())

  /** A world in which the script makes the ids that it always makes: what is done first goes by them. */
  const takeWorld = async (steps: readonly WorkspaceStep[]): Promise<BaseWorld> => {
    if (!world || runs % scriptsPerWorld === 0) {
      await world?.close()
      random.run = 0
      random.restart(0)
      world = await openBaseWorld(storage, { ids: new SeededIds(random) })
      const other = await world.api.bases.createBase({ spaceId: world.ada.spaceId })
      baseIds = [world.baseId, other.id]
    }
    random.run = ++runs
    random.restart(fc.hash(JSON.stringify(steps)))
    return world
  }

  test(
    '[CALC-1] always are what working everything out from the start gives',
    async () => {
      const check = fc.asyncProperty(workspaceScript, async (steps) => {
        const { api, clock } = await takeWorld(steps)
        await runWorkspaceScript({ api, baseIds, tick: () => clock.advance(1) }, steps)
      })
      await fc.assert(check, withExamples(numRuns))
    },
    timeoutMs,
  )

  /** Takes the steps where nearly everything is left to the background, which goes on between them. */
  const runInBackground = async (
    steps: readonly WorkspaceStep[],
    stepsBetween: number,
    lowered: Parameters<typeof withLimits>[0] = { recordsCalculated: 2, ...recordsPerSlice(2) },
  ) => {
    const current = await takeWorld(steps)
    const settle = (tableIds: readonly string[]) => doJobs(current, tableIds)
    const tick = () => current.clock.advance(1)
    await withLimits(lowered, () =>
      runWorkspaceScript({ api: current.api, baseIds, settle, tick, stepsBetween }, steps),
    )
  }
  const background = withExamples(Math.ceil(numRuns / fewerInBackground))

  test(
    '[CALC-1] always are the same once the background has worked them out',
    async () => {
      const check = fc.asyncProperty(workspaceScript, (steps) => runInBackground(steps, 1))
      await fc.assert(check, background)
    },
    timeoutMs,
  )

  test(
    '[CALC-26] always are the same when the background is behind for several steps',
    async () => {
      const check = fc.asyncProperty(workspaceScript, (steps) => runInBackground(steps, 4))
      await fc.assert(check, background)
    },
    timeoutMs,
  )

  test(
    '[CALC-34] [CALC-35] always are the same where writes and the background take a few steps at a time',
    async () => {
      const few = { stepsPerWrite: 40, stepsPerCalculation: 15 }
      const check = fc.asyncProperty(workspaceScript, (steps) => runInBackground(steps, 2, few))
      await fc.assert(check, background)
    },
    timeoutMs,
  )
})

const roundsMax = 100
let revisions = 0
const ids = {
  next: () => '',
  many: () => [],
  choice: () => `job${revisions++}`,
  revision: () => `job ${revisions++}`,
}

/** Does the jobs that are due, and that become due soon after, until nothing is pending in the tables. */
async function doJobs(
  { engine: { store }, clock }: BaseWorld,
  tableIds: readonly string[],
): Promise<void> {
  const countPending = () =>
    store.read(async ({ calculations }) => (await calculations.listOf(tableIds)).length)
  const fail = (error: unknown) => {
    throw error
  }
  for (let rounds = 0; rounds < roundsMax && (await countPending()) > 0; rounds++) {
    while (await runNextJob({ store, clock, ids }, jobKinds, fail));
    clock.advance(1_000)
  }
}
