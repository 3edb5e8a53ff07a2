import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { apiBy } from '@gateleg/testing/worlds/token-bearer'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'

const a = { id: 'choA', name: 'a', color: 'red' }
const b = { id: 'choB', name: 'b', color: 'blue' }
const c = { id: 'choC', name: 'c', color: 'teal' }
const single = (...choices: readonly object[]) => ({ type: 'singleSelect', options: { choices } })
const multiple = (...choices: readonly object[]) => ({
  type: 'multipleSelect',
  options: { choices },
})

describeOnEveryStorage('the choices of a select that is converted', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  /** A, b and c in Kind; a and b, b and c, and c in Tags; one more record, like the first, is deleted. */
  let things: TestTable

  beforeEach(async () => {
    things = await world.makeTable(
      'Things',
      [
        { type: 'singleLineText', name: 'Name' },
        { ...single(a, b, c), name: 'Kind' },
        { ...multiple(a, b, c), name: 'Tags' },
      ],
      [
        { Name: 'axe', Kind: 'a', Tags: ['a', 'b'] },
        { Name: 'bow', Kind: 'b', Tags: ['b', 'c'] },
        { Name: 'cup', Kind: 'c', Tags: ['c'] },
        { Name: 'gone', Kind: 'a', Tags: ['a', 'b'] },
      ],
    )
    await world.remove(things, things.recordIds[3])
  })
  afterEach(() => world.clear())

  const convert = (name: string, definition: object) => world.convert(things, name, definition)
  const storedOf = (name: string) =>
    world.engine.store.read(async (tx) => {
      const { rows } = await tx.canonical.records({ tableId: things.id, after: 0 }, 10)
      return rows.map(({ cells }) => (cells as Record<string, unknown>)[name])
    })
  const versions = async (table = things) => {
    const found = await Promise.all(
      table.recordIds
        .slice(0, 3)
        .map((recordId) => world.api.records.getRecord({ tableId: table.id, recordId })),
    )
    return found.map(({ version }) => version)
  }
  const addLookup = async (from: TestTable, lookupFieldId: string, type: string) => {
    const options = { relationship: 'manyMany', foreignTableId: things.id }
    const link = await world.addField(from, { type: 'link', name: `Link ${type}`, options })
    for (const recordId of from.recordIds) {
      await world.change(from, recordId, { [`Link ${type}`]: things.recordIds.slice(0, 2) })
    }
    return world.addField(from, {
      type,
      name: 'Lookup',
      isLookup: true,
      lookupOptions: { linkFieldId: link.id, foreignTableId: things.id, lookupFieldId },
    })
  }

  test('[FIELD-131] refuses choices that can’t be', async () => {
    const refuses = (definition: object, ...path: (string | number)[]) =>
      world.expectNoTrace(() => convert('Kind', definition), invalidAt('options', ...path))
    await refuses(single(a, { ...b, name: 'a' }), 'choices', 1, 'name')
    await refuses(single(a, { ...b, id: 'choA' }), 'choices', 1, 'id')
    await refuses(single({ ...a, color: 'colour' }), 'choices', 0, 'color')
    const options = { choices: [b], defaultValue: 'a' }
    await refuses({ type: 'singleSelect', options }, 'defaultValue')
    expect(await versions()).toEqual([1, 1, 1])
  })

  test('[FIELD-116] [FIELD-143] renames a choice in the cells, and counts those records alone', async () => {
    await convert('Kind', single({ ...a, name: 'x' }, b, c))
    expect(await storedOf('Kind')).toEqual(['x', 'b', 'c', 'x'])
    expect(await versions()).toEqual([2, 1, 1])
    await convert('Tags', multiple(a, { ...b, name: 'y' }, c))
    expect(await storedOf('Tags')).toEqual([['a', 'y'], ['y', 'c'], ['c'], ['a', 'y']])
    expect(await versions()).toEqual([3, 2, 1])
  })

  test('[FIELD-116] swaps names', async () => {
    const swapped = [
      { ...a, name: 'b' },
      { ...b, name: 'c' },
      { ...c, name: 'a' },
    ]
    await convert('Kind', single(...swapped))
    await convert('Tags', multiple(...swapped))
    expect(await storedOf('Kind')).toEqual(['b', 'c', 'a', 'b'])
    expect(await storedOf('Tags')).toEqual([['b', 'c'], ['c', 'a'], ['a'], ['b', 'c']])
  })

  test('[FIELD-117] takes a choice that is gone out of the cells', async () => {
    await convert('Kind', single(b, c))
    await convert('Tags', multiple(a, b))
    expect(await storedOf('Kind')).toEqual([null, 'b', 'c', null])
    expect(await storedOf('Tags')).toEqual([['a', 'b'], ['b'], null, ['a', 'b']])
    expect(await world.change(things, things.recordIds[2], { Tags: ['b'] })).toMatchObject({
      Tags: ['b'],
    })
    await convert('Kind', single())
    expect(await storedOf('Kind')).toEqual([null, null, null, null])
  })

  test('[FIELD-117] lets two choices become one', async () => {
    await convert('Tags', multiple({ ...a, name: 'c' }, { ...b, name: 'y' }))
    expect(await storedOf('Tags')).toEqual([['c', 'y'], ['y', 'c'], ['c'], ['c', 'y']])
  })

  test('[FIELD-118] [FIELD-143] changes no cell for a choice that is new, moved or coloured', async () => {
    const options = [c, { name: 'd' }, { ...b, color: 'pink' }, a]
    const { version } = (await convert('Kind', single(...options))) as never
    expect(version).toBe(2)
    expect(await storedOf('Kind')).toEqual(['a', 'b', 'c', 'a'])
    expect(await versions()).toEqual([1, 1, 1])
    const { records } = await world.api.records.listRecords({ tableId: things.id })
    expect(records).toHaveLength(3)
  })

  test('[FIELD-119] tells choices without ids by their names', async () => {
    const sent = [{ name: 'c' }, { name: 'a', color: 'pink' }, { id: 'choB', name: 'z' }]
    const { options } = await convert('Kind', single(...sent))
    expect(options.choices).toEqual([c, { ...a, color: 'pink' }, { ...b, name: 'z' }])
    expect(await storedOf('Kind')).toEqual(['a', 'z', 'c', 'a'])
  })

  test('[FIELD-117] takes the default away with its choice', async () => {
    const choices = [a, b]
    await convert('Kind', { type: 'singleSelect', options: { choices, defaultValue: 'b' } })
    const { options } = await convert('Kind', single(a))
    expect(options).not.toHaveProperty('defaultValue')
    const [id] = await world.add(things, { Name: 'new' })
    expect(await world.recordOf(things, id)).toEqual({ Name: 'new' })
  })

  test('[FIELD-116] [FIELD-133] renames while a select of one becomes one of many, and back', async () => {
    await convert('Kind', multiple({ ...a, name: 'x' }, b))
    expect(await storedOf('Kind')).toEqual([['x'], ['b'], null, ['x']])
    await convert('Tags', single({ ...a, name: 'b' }, { ...b, name: 'a' }, c))
    expect(await storedOf('Tags')).toEqual(['b', 'a', 'c', 'b'])
  })

  test('[FIELD-130] keeps the choices where another kind of select says nothing of them', async () => {
    const { options } = await convert('Kind', { type: 'multipleSelect' })
    expect(options.choices).toEqual([a, b, c])
    expect(await storedOf('Kind')).toEqual([['a'], ['b'], ['c'], ['a']])
    expect(await convert('Kind', { type: 'singleSelect' })).toMatchObject({ options })
    expect(await storedOf('Kind')).toEqual(['a', 'b', 'c', 'a'])
  })

  test.each([{}, { preventAutoNewOptions: true }])(
    '[FIELD-130] keeps the choices where the options are %j',
    async (options) => {
      const { id: fieldId } = await world.fieldOf(things, 'Kind')
      const { planConversion } = world.api.fields
      const place = { tableId: things.id, fieldId }
      expect(await planConversion({ ...place, type: 'singleSelect', options })).toMatchObject({
        skip: true,
      })
      expect(await planConversion({ ...place, type: 'multipleSelect', options })).toMatchObject({
        keptCellCount: 4,
        emptiedCellCount: 0,
      })
      const kept = { choices: [a, b, c], ...options }
      expect((await convert('Kind', { type: 'singleSelect', options })).options).toEqual(kept)
      expect(await storedOf('Kind')).toEqual(['a', 'b', 'c', 'a'])
      expect((await convert('Kind', { type: 'multipleSelect', options })).options).toEqual(kept)
      expect(await storedOf('Kind')).toEqual([['a'], ['b'], ['c'], ['a']])
      await convert('Kind', { type: 'multipleSelect', options: { ...options, choices: [] } })
      expect(await storedOf('Kind')).toEqual([null, null, null, null])
    },
  )

  test('[FIELD-130] takes a default of the choices that stay', async () => {
    const options = { defaultValue: 'b' }
    expect((await convert('Kind', { type: 'singleSelect', options })).options).toEqual({
      choices: [a, b, c],
      ...options,
    })
  })

  test('[FIELD-139] lets lookups and formulas follow', async () => {
    const { id: kindId } = await world.fieldOf(things, 'Kind')
    const { id: tagsId } = await world.fieldOf(things, 'Tags')
    const expression = `{${kindId}} & ":" & ARRAY_JOIN({${tagsId}}, ", ")`
    await world.addField(things, { type: 'formula', name: 'Both', options: { expression } })
    const people = await world.makeNames('People', 'ann')
    const teams = await world.makeNames('Teams', 'red')
    const lookups = [
      [people, 'Kind', await addLookup(people, kindId, 'singleSelect')],
      [teams, 'Tags', await addLookup(teams, tagsId, 'multipleSelect')],
    ] as const
    const before = await versions(people)
    const renamed = [{ ...a, name: 'x' }, b, c]
    await convert('Kind', single(...renamed))
    await convert('Tags', multiple(...renamed))
    expect(await world.cellsOf(things, 'Both')).toEqual(['x:x, b', 'b:b, c', 'c:c'])
    expect(await world.cellsOf(people, 'Lookup')).toEqual([['x', 'b']])
    expect(await world.cellsOf(teams, 'Lookup')).toEqual(
      [['x', 'b', 'c']].map((all) => expect.arrayContaining(all)),
    )
    for (const [table, , { id: fieldId }] of lookups) {
      const lookup = await world.api.fields.getField({ tableId: table.id, fieldId })
      expect(lookup).toMatchObject({ options: { choices: renamed } })
    }
    expect((await versions(people))[0]).toBeGreaterThan(before[0] ?? 0)
  })

  test('[ACCESS-10] shows values as choices to tokens alone that may read records', async () => {
    const { id: fieldId } = await world.fieldOf(things, 'Name')
    const note = await world.addField(things, { type: 'singleLineText', name: 'Note' })
    await world.change(things, things.recordIds[0], { Note: 'for few' })
    const { token } = await world.api.accessTokens.createToken({
      name: 'Fields',
      scopes: ['field|read', 'field|update'],
      baseIds: [world.baseId],
      expiredTime: '2027-01-01',
    })
    const { fields } = await apiBy(world.engine, token)
    const by = (definition: object, id = note.id) =>
      fields.convertField({ tableId: things.id, fieldId: id, ...definition } as never)
    for (const type of ['singleSelect', 'multipleSelect']) {
      const refusal = { code: 'restricted_resource' }
      await world.expectNoTrace(() => by({ type, name: 'Note' }), refusal)
    }
    await by({ type: 'longText', name: 'Text' }, fieldId)
    const kind = await world.fieldOf(things, 'Kind')
    expect(await by({ ...multiple(a, b, c), name: 'Kinds' }, kind.id)).toMatchObject({
      options: { choices: [a, b, c] },
    })
  })
})
