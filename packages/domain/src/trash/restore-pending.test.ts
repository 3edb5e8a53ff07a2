import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, expect, test } from 'vitest'

describeOnEveryStorage('restoring what the background had not finished', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  beforeAll(async () => {
    await world.finishJobs()
  })

  test.each(['table', 'base', 'space'] as const)(
    '[TRASH-12] it goes on when the %s is back',
    async (resourceType) => {
      const { api, ada } = world
      const { spaceId } = ada
      const { id: baseId } = await api.bases.createBase({ spaceId, name: resourceType })
      const fields = [
        { type: 'singleLineText', name: 'Name' },
        { type: 'singleLineText', name: 'Value' },
      ]
      const rows = ['1', 'two', '3', '4', '5'].map((Value) => ({ Name: `thing ${Value}`, Value }))
      const things = await world.makeTable('Things', fields, rows, baseId)
      const { id: tableId } = things
      const remove = {
        table: () => api.tables.deleteTable({ baseId, tableId }),
        base: () => api.bases.deleteBase({ baseId }),
        space: () => api.spaces.deleteSpace({ spaceId }),
      }
      const entries = async () =>
        resourceType === 'table'
          ? api.trash.listTrashItems({ resourceId: baseId, resourceType: 'base' })
          : api.trash.listTrash({ resourceType })
      await withLimits({ recordsCalculated: 2, ...recordsPerSlice(2) }, async () => {
        await world.convert(things, 'Value', { type: 'number' })
        for (const [name, expression] of [
          ['More', '{Value} + 1'],
          ['Loud', 'UPPER({Name})'],
        ]) {
          await world.addField(things, { type: 'formula', name, options: { expression } })
        }
        await world.runJob()
        await remove[resourceType]()
        await world.finishJobs()
        const [entry] = (await entries()).trashItems
        await api.trash.restoreTrash({ trashId: entry?.id ?? '' })
        await world.finishJobs()
      })
      const listed = await api.fields.listFields({ tableId })
      expect(listed.filter(({ isPending }) => isPending)).toEqual([])
      expect(await world.cellsOf(things, 'Value')).toEqual([1, null, 3, 4, 5])
      expect((await world.cellsOf(things, 'More'))[2]).toBe(4)
      expect((await world.cellsOf(things, 'Loud'))[4]).toBe('THING 5')
    },
  )
})
