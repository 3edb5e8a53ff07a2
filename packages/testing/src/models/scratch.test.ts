import { workspaceScript } from '@gateleg/testing/arbitraries/workspace-step'
import { openBaseWorld } from '@gateleg/testing/base-world'
import { runWorkspaceScript } from '@gateleg/testing/run-workspace-script'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import fc from 'fast-check'
import { test } from 'vitest'
import { withLimits } from '@gateleg/testing/with-limits'
import { jobKinds } from '@gateleg/domain/jobs/job-kinds'
import { runNextJob } from '@gateleg/domain/jobs/run-next-job'


const skipped = (process.env.SKIP ?? '').split(',')
describeOnEveryStorage('scratch', (storage) => {
  test('one', async () => {
    const world = await openBaseWorld(storage)
    const other = await world.api.bases.createBase({ spaceId: world.ada.spaceId })
    const baseIds = [world.baseId, other.id]
    const { api: real } = world
    const silent = skipped.includes('answers')
    const api = { ...real, records: { ...real.records,
      createRecords: async (input: never) => { const { records } = await real.records.createRecords(input); return { records: records.map((one) => silent ? Object.defineProperty({ ...one }, 'silent', { value: true }) : one) } },
      updateRecords: async (input: never) => { const all = await real.records.updateRecords(input); return silent ? [] : all } } } as typeof real
    let revisions = 0
    const ids = { next: () => '', many: () => [], choice: () => '', revision: () => `job ${revisions++}` }
    const isBackground = process.env.BG !== undefined
    const settle = isBackground ? async (tableIds: readonly string[]) => {
      const { store } = world.engine
      const count = () => store.read(async ({ calculations }) => (await calculations.listOf(tableIds)).length)
      let round = 0
      for (; round < 100 && (await count()) > 0; round++) {
        while (await runNextJob({ store, clock: world.clock, ids } as never, jobKinds, (e) => { throw e }));
        world.clock.advance(1_000)
      }
      if (round === 100) throw new Error('never settles')
      if (round > 0) rounds++
    } : undefined
    let rounds = 0
    await withLimits(isBackground ? { recordsCalculated: 2, recordsPerCalculation: 2 } : {}, () => fc.assert(fc.asyncProperty(workspaceScript, (steps) =>
      runWorkspaceScript({ api, baseIds, ...(settle && { settle }) }, steps.filter((step) => !skipped.includes(step.kind) && !(step.kind === 'create field' && skipped.includes(step.field.kind))))), { numRuns: Number(process.env.RUNS ?? 30), endOnFailure: true }))
    console.log('settled', rounds)
    await world.close()
  }, 600_000)
})
