import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'

describeOnEveryStorage('links to records that are called by their files', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  test('[LINK-35] show the names of the files, and no tokens', async () => {
    const { ada, api } = world
    const { spaceId, userId: createdBy } = ada
    const createdTime = new Date(world.clock.now()).toISOString()
    const stored = { path: 'table/hash', size: 12, mimetype: 'image/png', width: 4, height: 3 }
    const by = { spaceId, createdBy, createdTime, attachedTime: null }
    for (const token of ['secretOne', 'secretTwo']) {
      await world.engine.store.write((tx) => tx.attachments.insert({ ...stored, ...by, token }))
    }
    const files = await world.makeNames('Files', 'x')
    const [recordId = ''] = files.recordIds
    const { id: lookupFieldId } = await world.addField(files, { type: 'attachment', name: 'Files' })
    const items = ['One', 'Two'].map((name) => ({ name, token: `secret${name}` }))
    await world.change(files, recordId, { Files: items })
    const books = await world.makeNames('Books', 'Emma')
    const link = await world.addField(books, {
      ...{ type: 'link', name: 'File' },
      options: { relationship: 'manyOne', foreignTableId: files.id, lookupFieldId },
    })
    const read = async (more: object = {}) => {
      const { records } = await api.records.listRecords({ tableId: books.id, ...more })
      return records[0]?.fields.File
    }
    await world.change(books, books.recordIds[0], { File: { id: recordId } })
    expect(await read()).toEqual({ id: recordId, title: 'One,Two' })
    expect(await read({ cellFormat: 'text' })).toBe('One,Two')
    // By its title a record is found, too.
    await world.change(books, books.recordIds[0], { File: null })
    await api.records.updateRecord({
      ...{ tableId: books.id, recordId: books.recordIds[0] ?? '', typecast: true },
      record: { fields: { File: ['One,Two'] } },
    })
    expect(await read()).toEqual({ id: recordId, title: 'One,Two' })
    await world.change(files, recordId, { Files: items.slice(1) })
    expect(await read()).toEqual({ id: recordId, title: 'Two' })
    const filter = {
      conjunction: 'and' as const,
      filterSet: [{ fieldId: link.id, operator: 'isAnyOf', value: [recordId] } as never],
    }
    const view = await api.views.createView({ tableId: books.id, type: 'grid', filter })
    const named = await api.views.listFilterLinkRecords({ tableId: books.id, viewId: view.id })
    expect(JSON.stringify(named)).not.toContain('secret')
  })
})
