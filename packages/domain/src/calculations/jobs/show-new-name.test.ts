import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'

describeOnEveryStorage('the new name of a user', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  test('[CALC-30] is in values that show it, of however many tables, and in no others', async () => {
    const tables = [
      await world.makeNames('First', 'a', 'b'),
      await world.makeNames('Second', 'c'),
      await world.makeNames('Third', 'd'),
    ]
    const [first, , third] = tables
    if (!first || !third) throw new Error('Assertion failed: there are three tables')
    for (const table of tables) {
      await world.addField(table, { type: 'createdBy', name: 'Maker' })
      const options = { expression: '{Name} & " by " & {Maker}' }
      await world.addField(table, { type: 'formula', name: 'Who', options })
    }
    const link = { relationship: 'manyOne', foreignTableId: first.id, isOneWay: true }
    const { id: linkFieldId } = await world.addField(third, {
      type: 'link',
      name: 'L',
      options: link,
    })
    const { id: lookupFieldId } = await world.fieldOf(first, 'Who')
    const lookupOptions = { linkFieldId, foreignTableId: first.id, lookupFieldId }
    const lookup = { type: 'formula', name: 'Seen', isLookup: true, lookupOptions }
    await world.addField(third, lookup)
    await world.change(third, third.recordIds[0], { L: first.recordIds[1] })
    await world.finishJobs()

    await withLimits({ tablesPerSweep: 2 }, async () => {
      await world.ada.api.accounts.changeName({ name: 'Countess' })
      await world.finishJobs()
    })
    expect(await world.cellsOf(first, 'Who')).toEqual(['a by Countess', 'b by Countess'])
    expect(await world.cellsOf(third, 'Who')).toEqual(['d by Countess'])
    expect(await world.cellsOf(third, 'Seen')).toEqual(['b by Countess'])
    const fields = await world.api.fields.listFields({ tableId: third.id })
    expect(fields.filter(({ isPending }) => isPending)).toEqual([])
  })
})
