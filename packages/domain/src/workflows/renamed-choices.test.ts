import { setTimeout } from 'node:timers/promises'
import type { WriteTx } from '@gateleg/domain/store'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('workflows about choices that get other names', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable
  let stateId: string
  let workflowId: string

  const options = (name: string) => ({ choices: [{ id: 'one', name }] })
  const about = (value: string) => ({
    conjunction: 'and' as const,
    filterSet: [{ fieldId: stateId, operator: 'is' as const, value }],
  })
  const one = () => ({ baseId: world.baseId, workflowId })
  const get = () => world.api.workflows.getWorkflow(one())
  const set = (method: 'activate' | 'discard') =>
    world.api.workflows.setWorkflowActive({ ...one(), method })
  const rename = (name: string) =>
    world.convert(table, 'State', { type: 'singleSelect', options: options(name) })
  const filterOf = async (read: typeof get = get) => (await read()).nodes[0]?.config.filter
  const snapshot = () => world.api.workflows.getActiveSnapshot(one())

  beforeEach(async () => {
    await world.clear()
    table = await world.makeNames('Books')
    const type = 'singleSelect'
    stateId = (await world.addField(table, { type, name: 'State', options: options('open') })).id
    const config = { tableId: table.id, filter: about('open') }
    workflowId = (
      await world.api.workflows.createWorkflow({
        ...{ baseId: world.baseId, trigger: { type: 'recordMatchesConditions', config } },
      })
    ).id
  })

  /** Renames the choice while somebody else has begun a change, which isn't committed yet. */
  async function renameWhile(change: (tx: WriteTx) => Promise<void>): Promise<void> {
    let waiting: Promise<unknown> = Promise.resolve()
    await world.engine.store.write(async (tx) => {
      await change(tx)
      waiting = rename('to do')
      await setTimeout(300)
    })
    await waiting
  }

  test('[FLOW-135] have the new names when they come back from the trash at the same time', async () => {
    await world.api.workflows.deleteWorkflow(one())
    await renameWhile((tx) => tx.workflows.restore(workflowId))
    const workflow = await world.engine.store.read((tx) => tx.workflows.find(workflowId))
    expect(workflow?.draft?.nodes[0]?.config.filter).toEqual(about('to do'))
  })

  test('[FLOW-135] have the new names when they go to the trash at the same time', async () => {
    const time = '2026-01-01T00:00:00.000Z'
    const deletion = { operationId: 'opr0000000000000135', time, userId: world.ada.userId }
    await renameWhile((tx) => tx.workflows.markDeleted(workflowId, deletion))
    const workflow = await world.engine.store.read((tx) => tx.workflows.findDeleted(workflowId))
    expect(workflow?.draft?.nodes[0]?.config.filter).toEqual(about('to do'))
  })

  test('[FLOW-136] have the new names still once the draft is discarded, in which alone they differ from the snapshot', async () => {
    await set('activate')
    await rename('to do')
    await set('discard')
    expect(await filterOf()).toEqual(about('to do'))
    const { hasDraft, version } = await get()
    expect(hasDraft).toBe(true)
    await set('discard')
    expect((await get()).version).toBe(version)
    expect(await filterOf(snapshot)).toEqual(about('open'))
  })

  test('[FLOW-136] have them when a draft is discarded that had something else, and after another rename', async () => {
    await set('activate')
    await rename('to do')
    const trigger = { type: 'recordCreated', config: { tableId: table.id } } as const
    await world.api.workflows.updateWorkflow({ ...one(), trigger })
    await rename('later')
    await set('discard')
    expect(await filterOf()).toEqual(about('later'))
    await set('activate')
    expect(await filterOf(snapshot)).toEqual(about('later'))
    await rename('open')
    await rename('later')
    expect((await get()).hasDraft).toBe(false)
    await set('discard')
    expect(await filterOf()).toEqual(about('later'))
  })
  test('[FLOW-150] keep the names of a snapshot only as long as all workflows of the base have room for them', async () => {
    const { store } = world.engine
    await set('activate')
    const trigger = { type: 'recordCreated', config: { tableId: table.id } } as const
    await world.api.workflows.updateWorkflow({ ...one(), trigger })
    const length = await store.read((tx) => tx.workflows.flowsLength(world.baseId))
    await withLimits({ flowsLengthPerBase: length + 50 }, async () => {
      await expect(rename('to do')).rejects.toMatchObject({ code: 'validation_error' })
    })
    await rename('to do')
    const renamed = await store.read((tx) => tx.workflows.flowsLength(world.baseId))
    // A name of the same length needs no room.
    await withLimits({ flowsLengthPerBase: renamed - 50 }, () => rename('maybe'))
    await set('discard')
    expect(await filterOf()).toEqual(about('maybe'))
  })
})
