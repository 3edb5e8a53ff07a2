import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'

describeOnEveryStorage('bases and spaces that come back', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  test('[TRASH-90] are no more bases than a space has room for, when several come back at once', async () => {
    const { spaces, bases, trash } = world.api
    const { id: spaceId } = await spaces.createSpace({ name: 'Full' })
    for (let round = 0; round < 5; round++) {
      for (const name of ['A', 'B', 'C', 'D']) {
        const { id: baseId } = await bases.createBase({ spaceId, name })
        await bases.deleteBase({ baseId })
      }
      const inTrash = { resourceType: 'base', spaceId } as const
      const { trashItems } = await trash.listTrash(inTrash)
      await withLimits({ basesPerSpace: 1 }, async () => {
        await Promise.allSettled(trashItems.map(({ id }) => trash.restoreTrash({ trashId: id })))
      })
      const back = await bases.listBases({ spaceId })
      expect(back).toHaveLength(1)
      for (const { id: baseId } of back) await bases.deleteBase({ baseId })
      for (const { id: trashId } of (await trash.listTrash(inTrash)).trashItems) {
        await trash.purgeTrashEntry({ trashId })
      }
    }
  })

  test('[TRASH-91] are no more spaces than somebody may have created', async () => {
    const { spaces, trash } = world.api
    const { id: spaceId } = await spaces.createSpace({ name: 'Gone' })
    await spaces.deleteSpace({ spaceId })
    const [entry] = (await trash.listTrash({ resourceType: 'space' })).trashItems
    const restore = () => trash.restoreTrash({ trashId: entry?.id ?? '' })
    const { length } = await spaces.listSpaces({})
    await withLimits({ spacesPerUser: length }, async () => {
      await world.expectNoTrace(restore, { code: 'validation_error' })
    })
    await withLimits({ spacesPerUser: length + 1 }, restore)
    expect(await spaces.getSpace({ spaceId })).toMatchObject({ name: 'Gone' })
  })
})
