import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'

describeOnEveryStorage('orders in archives', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  const exported = async (includeTrash: boolean) => {
    let text = ''
    const { baseId, api } = world
    for await (const part of await api.archives.exportBase({ baseId, includeTrash })) text += part
    return text
  }

  test('[ARCHIVE-1] [ARCHIVE-21] have fields that came back before those that got their order since', async () => {
    const { api, clock, ada } = world
    for (let round = 0; round < 6; round++) {
      const table = await world.makeNames(`Names ${round}`, 'a')
      clock.advance(1)
      const { id: fieldId } = await world.fieldOf(table, 'Count')
      await api.fields.deleteField({ tableId: table.id, fieldId })
      await world.addField(table, { type: 'number', name: 'Later' })
      const ofTable = { resourceId: table.id, resourceType: 'table' as const }
      const [entry] = (await api.trash.listTrashItems(ofTable)).trashItems
      await api.trash.restoreTrash({ trashId: entry?.id ?? '' })
      // What lies in the trash is written with what lives.
      const extra = await world.addField(table, { type: 'number', name: 'Gone' })
      await api.fields.deleteField({ tableId: table.id, fieldId: extra.id })
    }
    for (const includeTrash of [false, true]) {
      const content = await exported(includeTrash)
      const { id: baseId } = await api.archives.importBase({ spaceId: ada.spaceId, content })
      for (const { id: tableId } of await api.tables.listTables({ baseId })) {
        const names = (await api.fields.listFields({ tableId })).map(({ name }) => name)
        expect(names).toEqual(['Name', 'Count', 'Later'])
      }
    }
  })

  test('[ARCHIVE-1] have no list of an order of which no rows are left', async () => {
    const { api } = world
    const table = await world.makeNames('Rows', 'a', 'b')
    const [view] = await api.views.listViews({ tableId: table.id })
    const [anchorId = '', last = ''] = table.recordIds
    const moved = { anchorId, position: 'before' as const, recordIds: [last] }
    await api.views.moveRows({ tableId: table.id, viewId: view?.id ?? '', ...moved })
    await world.remove(table, ...table.recordIds)
    const lines = (await exported(false)).split('\n')
    expect(lines.filter((line) => line.includes('"order":'))).not.toEqual([])
    expect(lines).not.toContain('[]')
  })
})
