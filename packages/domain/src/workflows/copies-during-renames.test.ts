import { setTimeout } from 'node:timers/promises'
import type { WriteTx } from '@gateleg/domain/store'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { installCharts } from '@gateleg/testing/worlds/place'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { assert, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('copies that are made while choices get other names', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable
  let stateId: string

  const options = (name: string) => ({ choices: [{ id: 'one', name }] })
  const about = (value: string) => ({
    conjunction: 'and' as const,
    filterSet: [{ fieldId: stateId, operator: 'is' as const, value }],
  })
  const rename = () =>
    world.convert(table, 'State', { type: 'singleSelect', options: options('to do') })

  beforeEach(async () => {
    await world.clear()
    table = await world.makeNames('Books')
    const type = 'singleSelect'
    stateId = (await world.addField(table, { type, name: 'State', options: options('open') })).id
  })

  /** Does the call while the change, which somebody else has begun, isn't committed yet. */
  async function during<Answer>(
    change: (tx: WriteTx) => Promise<void>,
    call: () => Promise<Answer>,
  ): Promise<Answer> {
    let waiting: Promise<Answer> | undefined
    await world.engine.store.write(async (tx) => {
      await change(tx)
      waiting = call()
      waiting.catch(() => undefined)
      await setTimeout(300)
    })
    assert(waiting)
    return waiting
  }

  const makeWorkflow = async () => {
    const config = { tableId: table.id, filter: about('open') }
    const trigger = { type: 'recordMatchesConditions' as const, config }
    const made = await world.api.workflows.createWorkflow({ baseId: world.baseId, trigger })
    return made.id
  }
  const flowWith = (nodes: readonly object[], name: string) =>
    nodes.map((node) => ({ ...node, config: { tableId: table.id, filter: about(name) } }))

  test('[FLOW-160] of a workflow have the new names, where they were begun before', async () => {
    const id = await makeWorkflow()
    const copyId = `${id.slice(0, -4)}Copy`
    await during(async ({ workflows }) => {
      const original = await workflows.find(id, 'update')
      assert(original)
      await workflows.insert([{ ...original, id: copyId }])
    }, rename)
    const copy = await world.engine.store.read((tx) => tx.workflows.find(copyId))
    expect(copy?.draft?.nodes).toMatchObject(flowWith([{}], 'to do'))
  })

  test('[FLOW-160] of a workflow have the new names, where they are begun meanwhile', async () => {
    const { tree } = world.api
    const id = await makeWorkflow()
    const nodes = await tree.listNodes({ baseId: world.baseId })
    const node = nodes.find(({ resourceId }) => resourceId === id)
    const copy = await during(
      async ({ workflows }) => {
        const original = await workflows.find(id, 'update')
        assert(original?.draft)
        const renamed = flowWith(original.draft.nodes, 'to do')
        await workflows.update({ ...original, draft: { nodes: renamed as never } })
      },
      () => tree.duplicateNode({ baseId: world.baseId, nodeId: node?.id ?? '' }),
    )
    const copied = await world.api.workflows.getWorkflow({
      ...{ baseId: world.baseId, workflowId: copy.resourceId },
    })
    expect(copied.nodes).toMatchObject(flowWith([{}], 'to do'))
  })

  const keeping = (name: string) => ({ query: { from: table.id, where: about(name) } })
  /** The chart of a dashboard and that of a panel, which ask for the choice. */
  const makeCharts = async () => {
    const { dashboards, pluginPanels } = world.api
    const { id: dashboardId } = await dashboards.createDashboard({
      ...{ baseId: world.baseId, name: 'Board' },
    })
    const made = await installCharts(world.api, {
      ...{ baseId: world.baseId, tableId: table.id, dashboardId },
    })
    const storage = keeping('open')
    const onDashboard = { pluginInstallId: made.dashboardInstallId, storage }
    await dashboards.setDashboardStorage({ baseId: world.baseId, dashboardId, ...onDashboard })
    const { pluginPanelId } = made
    const onPanel = { pluginInstallId: made.panelInstallId, storage }
    await pluginPanels.setPanelStorage({ tableId: table.id, pluginPanelId, ...onPanel })
    return { dashboardId, pluginPanelId }
  }
  const keptAt = async (positionId: string) => {
    const installs = await world.engine.store.read((tx) =>
      tx.pluginInstalls.listWholeAt(positionId),
    )
    return installs.map(({ storage: kept }) => kept)
  }

  test('[FLOW-160] of a dashboard have the new names, where they were begun before', async () => {
    const { dashboardId } = await makeCharts()
    await during(async ({ pluginInstalls }) => {
      const copies = await pluginInstalls.heldAt(dashboardId)
      await pluginInstalls.insert(
        copies.map((one) => ({ ...one, id: `${one.id.slice(0, -4)}Copy`, positionId: 'dshCopy' })),
      )
    }, rename)
    expect(await keptAt('dshCopy')).toEqual([keeping('to do')])
  })

  test('[FLOW-160] of a dashboard and a panel have the new names, where they are begun meanwhile', async () => {
    const { dashboardId, pluginPanelId } = await makeCharts()
    const [board, panel] = await during(
      async ({ pluginInstalls }) => {
        for (const positionId of [dashboardId, pluginPanelId]) {
          for (const { id } of await pluginInstalls.listAt(positionId)) {
            const install = await pluginInstalls.find(id, 'update')
            assert(install)
            await pluginInstalls.update({ ...install, storage: keeping('to do') })
          }
        }
      },
      () =>
        Promise.all([
          world.api.dashboards.duplicateDashboard({ baseId: world.baseId, dashboardId }),
          world.api.pluginPanels.duplicatePanel({ tableId: table.id, pluginPanelId }),
        ]),
    )
    expect(await keptAt(board.id)).toEqual([keeping('to do')])
    expect(await keptAt(panel.id)).toEqual([keeping('to do')])
  })
})
