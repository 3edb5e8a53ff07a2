import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'

describeOnEveryStorage('rows of imports that the table refuses', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  const makeTable = () =>
    world.makeTable(
      'Refusing',
      [
        { type: 'singleLineText', name: 'Name', unique: true },
        { type: 'singleLineText', name: 'Needed', notNull: true },
        { type: 'singleSelect', name: 'Kind', options: { choices: [{ name: 'a' }] } },
        { type: 'multipleSelect', name: 'Tags', options: { choices: [] } },
      ],
      [],
    )
  const content = [
    'Name,Needed,Kind,Tags',
    'one,1,a,t',
    'two,,left,"left, t"',
    'one,3,out,out',
    'four,4,b,"u, t"',
    '',
  ].join('\n')
  const choicesOf = async (table: { readonly id: string }, name: string) =>
    ((await world.fieldOf(table, name)).options.choices as { name: string }[]).map(
      (choice) => choice.name,
    )

  test.each(['at once', 'in the background'])(
    '[IMPORT-25] leave no choices behind that they alone name, written %s',
    async (how) => {
      const table = await makeTable()
      const lowered = how === 'at once' ? {} : { importRowsAtOnce: 1, rowsPerImportPiece: 4 }
      const input = { baseId: world.baseId, tableId: table.id, content }
      const { id: importId } = await withLimits(lowered, () =>
        world.api.imports.importRecords(input as never),
      )
      await world.finishJobs()
      const { baseId } = world
      expect(await world.api.imports.getImport({ baseId, importId })).toMatchObject({
        rowsCreated: 2,
        rowsLeftOut: 2,
      })
      expect(await world.cellsOf(table, 'Kind')).toEqual(['a', 'b'])
      expect(await world.cellsOf(table, 'Tags')).toEqual([['t'], ['u', 't']])
      expect(await choicesOf(table, 'Kind')).toEqual(['a', 'b'])
      expect(await choicesOf(table, 'Tags')).toEqual(['t', 'u'])
    },
  )
})
