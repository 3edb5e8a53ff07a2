import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'

const names = ['E', 'B', 'F', 'A', 'D', 'C']

describeOnEveryStorage('copies of boards', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  const listsOf = async (baseId: string, tableId?: string) => {
    const { dashboards, pluginPanels, tables } = world.api
    const [first] = await tables.listTables({ baseId })
    const lists = [
      await dashboards.listDashboards({ baseId }),
      await pluginPanels.listPanels({ tableId: tableId ?? first?.id ?? '' }),
    ]
    return lists.map((boards) => boards.map(({ name }) => name))
  }

  test('[BOARD-16] are listed as their originals are, those of one moment too', async () => {
    const { api, ada } = world
    const { spaceId } = ada
    const { id: baseId } = await api.bases.createBase({ spaceId })
    const { id: tableId } = await api.tables.createTable({ baseId })
    for (const name of names) {
      await api.dashboards.createDashboard({ baseId, name })
      await api.pluginPanels.createPanel({ tableId, name })
    }
    const originals = await listsOf(baseId)
    const once = (await api.bases.duplicateBase({ fromBaseId: baseId, spaceId })).id
    const twice = (await api.bases.duplicateBase({ fromBaseId: once, spaceId })).id
    expect([await listsOf(once), await listsOf(twice)]).toEqual([originals, originals])
    const table = await api.tables.duplicateTable({ baseId, tableId })
    expect(await listsOf(baseId, table.id)).toEqual(originals)
  })
})
