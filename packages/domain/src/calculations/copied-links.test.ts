import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, expect, test } from 'vitest'

describeOnEveryStorage('links between tables that were copied together', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  afterEach(() => world.clear())

  test.each([
    ['oneWay', 'manyOne'],
    ['oneWay', 'manyMany'],
    ['oneWay', 'oneMany'],
    ['twoWay', 'manyOne'],
    ['twoWay', 'manyMany'],
  ])('[CALC-91] are followed in the copy: %s, %s', async (way, relationship) => {
    const { api, ada, baseId } = world
    const books = await world.makeNames('Books', 'one', 'two')
    const readers = await world.makeNames('Readers', 'ann', 'bob')
    const isOneWay = way === 'oneWay'
    const { id: linkFieldId } = await world.addField(readers, {
      type: 'link',
      name: 'Reads',
      options: { foreignTableId: books.id, relationship, isOneWay },
    })
    const lookupOptions = {
      linkFieldId,
      foreignTableId: books.id,
      lookupFieldId: books.primaryId,
    }
    const rollup = { type: 'rollup', name: 'Titles', lookupOptions }
    await world.addField(readers, { ...rollup, options: { expression: 'array_join({values})' } })
    const hasMany = relationship.endsWith('Many')
    const linkTo = (id: string | undefined) => ({ Reads: hasMany ? [{ id }] : { id } })
    await world.change(readers, readers.recordIds[0], linkTo(books.recordIds[0]))
    await world.change(readers, readers.recordIds[1], linkTo(books.recordIds[1]))

    const copy = await api.bases.duplicateBase({
      fromBaseId: baseId,
      spaceId: ada.spaceId,
      withRecords: true,
    })
    const tables = await api.tables.listTables({ baseId: copy.id })
    const named = (name: string) => ({ id: tables.find((one) => one.name === name)?.id ?? '' })
    const { records } = await api.records.listRecords({ tableId: named('Books').id })
    await world.change(named('Books'), records[0]?.id, { Name: 'first' })
    expect(await world.cellsOf(named('Readers'), 'Titles')).toEqual(['first', 'two'])
    expect(await world.textsOf(named('Readers'), 'Reads')).toEqual(['first', 'two'])
    expect(await world.cellsOf(readers, 'Titles')).toEqual(['one', 'two'])
    await api.bases.deleteBasePermanently({ baseId: copy.id })
  })
})
