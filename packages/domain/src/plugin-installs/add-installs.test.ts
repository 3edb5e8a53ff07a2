import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { expect, test } from 'vitest'

describeOnEveryStorage('plugins that are installed in one base', (storage) => {
  test('[BOARD-18] are no more than it has room for where several people install some in different tables at one time', async () => {
    const world = await openBaseWorld(storage)
    const { api, baseId } = world
    const installs: (() => Promise<unknown>)[] = []
    for (let n = 0; n < 6; n++) {
      const { id: tableId } = await api.tables.createTable({ baseId })
      // Calls of one person take turns.
      const person = await world.newPerson(`Person${n}`)
      const collaborators = [{ principalId: person.userId, principalType: 'user' as const }]
      await api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'creator' })
      const { contextMenus } = person.api
      installs.push(() =>
        contextMenus.installInContextMenu({ tableId, pluginId: 'plgcontextexample' }),
      )
    }
    await withLimits({ installsPerBase: 2 }, async () => {
      const made = await Promise.allSettled(installs.map((install) => install()))
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    })
    await world.close()
  })
})
