import { openBaseWorld } from '@gateleg/testing/base-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'

describeOnEveryStorage('plugins that are installed in one base', (storage) => {
  test('[BOARD-18] are no more than it has room for where several are put into different tables at one time', async () => {
    const world = await openBaseWorld(storage)
    const { api, baseId } = world
    const tableIds: string[] = []
    for (let n = 0; n < 4; n++) tableIds.push((await api.tables.createTable({ baseId })).id)
    await withLimits({ installsPerBase: 2 }, async () => {
      const made = await Promise.allSettled(
        tableIds.map((tableId) =>
          api.contextMenus.installInContextMenu({ tableId, pluginId: 'plgcontextexample' }),
        ),
      )
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    })
    await world.close()
  })
})
