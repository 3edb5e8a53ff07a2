import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Relationship } from '../fields/link-end.ts'
import { limits } from '../limits.ts'

const wrong = invalidAt('record', 'fields', 'Things')

describeOnEveryStorage('link cells', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable
  /** The ids of people and things. */
  let ids: Record<'ann' | 'bob' | 'cid' | 'axe' | 'bow' | 'cup', string>

  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'bob', 'cid')
    things = await world.makeNames('Things', 'axe', 'bow', 'cup')
    const [ann = '', bob = '', cid = ''] = people.recordIds
    const [axe = '', bow = '', cup = ''] = things.recordIds
    ids = { ann, bob, cid, axe, bow, cup }
  })
  afterEach(() => world.clear())

  const addLink = (relationship: Relationship, options: object = {}, to = things) =>
    world.addField(people, {
      type: 'link',
      options: { relationship, foreignTableId: to.id, ...options },
    })
  type Name = keyof typeof ids
  const link = (person: Name, cell: unknown, typecast = false) =>
    world.change(people, ids[person], { Things: cell }, typecast)
  const linkMany = (...changes: readonly (readonly [Name, unknown])[]) =>
    world.api.records.updateRecords({
      tableId: people.id,
      records: changes.map(([person, Things]) => ({
        id: ids[person],
        fields: { Things },
      })) as never,
    })
  const refusesLink = (person: Name, cell: unknown) =>
    world.expectNoTrace(() => link(person, cell), wrong)
  /** What each cell of the field links to, by name. */
  const shown = async (table: TestTable, field: string) => {
    const named = (item: unknown) => (item as { title?: string }).title
    return (await world.cellsOf(table, field)).map((cell) =>
      Array.isArray(cell) ? cell.map(named) : cell && named(cell),
    )
  }
  const titled = (name: Name, title: string = name) => ({ id: ids[name], title })

  test('[LINK-8] [LINK-21] refuses what is no living record of the table', async () => {
    await addLink('manyMany')
    await link('ann', [ids.axe])
    await world.remove(things, ids.bow)
    for (const id of ['rec0', ids.bow, ids.ann, things.id, '__proto__', 'axe']) {
      await refusesLink('ann', [ids.cup, id])
      const records = [{ fields: {} }, { fields: { Things: [{ id }] } }] as never
      await world.expectNoTrace(
        () => world.api.records.createRecords({ tableId: people.id, records }),
        invalidAt('records', 1, 'fields', 'Things'),
      )
      await world.expectNoTrace(
        () => linkMany(['bob', [ids.cup]], ['cid', [id]]),
        invalidAt('records', 1, 'fields', 'Things'),
      )
    }
    expect(await shown(people, 'Things')).toEqual([['axe'], null, null])
    expect(await shown(things, 'People')).toEqual([['ann'], null])
  })

  test('[LINK-2] [LINK-10] refuses values that are no links of the field', async () => {
    await addLink('manyMany')
    for (const cell of [ids.axe, { id: ids.axe }, [[ids.axe]], [null], [1], [{}], {}, true]) {
      await refusesLink('ann', cell)
    }
    await refusesLink('ann', [ids.axe, ids.bow, { id: ids.axe }])
    await refusesLink('ann', new Array(10_001).fill(ids.axe))
    await world.api.fields.deleteField({
      tableId: people.id,
      fieldId: (await world.fieldOf(people, 'Things')).id,
    })
    await addLink('manyOne')
    for (const cell of [[ids.axe], [], {}, 1, '']) await refusesLink('ann', cell)
  })

  test.each<Relationship>(['oneOne', 'oneMany'])(
    '[LINK-9] [LINK-21] refuses what is taken in a link that is %s',
    async (relationship) => {
      await addLink(relationship)
      const cell = (name: Name) => (relationship === 'oneOne' ? ids[name] : [ids[name]])
      await link('ann', cell('axe'))
      await refusesLink('bob', cell('axe'))
      const twice = () => linkMany(['bob', cell('bow')], ['cid', cell('bow')])
      await world.expectNoTrace(twice, invalidAt('records', 1, 'fields', 'Things'))
      const kept = () => linkMany(['bob', cell('axe')], ['ann', cell('axe')])
      await world.expectNoTrace(kept, { code: 'validation_error' })
      const records = [{ fields: { Things: cell('axe') } }] as never
      await world.expectNoTrace(
        () => world.api.records.createRecords({ tableId: people.id, records }),
        invalidAt('records', 0, 'fields', 'Things'),
      )
      await world.remove(people, ids.ann)
      expect(await link('bob', cell('axe'))).toHaveProperty('Things')
    },
  )

  test('[LINK-9] names what is taken in the order in which it was sent', async () => {
    await addLink('oneMany')
    await linkMany(['ann', [ids.axe, ids.bow, ids.cup]])
    for (const names of [
      ['cup', 'axe', 'bow'],
      ['bow', 'cup', 'axe'],
    ] as const) {
      const refused = await link(
        'bob',
        names.map((name) => ids[name]),
      )
        .then(() => [])
        .catch((error) => error.data.issues)
      const expected = names.map((name) => expect.stringContaining(`"${ids[name]}"`))
      expect(refused.map(({ message }: { message: string }) => message)).toEqual(expected)
    }
  })

  test.each<Relationship>(['oneOne', 'manyOne'])(
    '[LINK-9] refuses what is taken from the other end, of a link that is %s',
    async (relationship) => {
      await addLink(relationship)
      await link('ann', ids.axe)
      const cell = relationship === 'oneOne' ? ids.ann : [ids.ann]
      const take = () => world.change(things, ids.bow, { People: cell })
      await world.expectNoTrace(take, invalidAt('record', 'fields', 'People'))
    },
  )

  test.each<Relationship>(['oneOne', 'oneMany'])(
    '[LINK-9] [LINK-12] hands records on within a request, of a link that is %s',
    async (relationship) => {
      await addLink(relationship)
      const cell = (name: Name) => (relationship === 'oneOne' ? ids[name] : [ids[name]])
      const rows = (...names: readonly (Name | null)[]) =>
        names.map((name) => name && (relationship === 'oneOne' ? name : [name]))
      await linkMany(['ann', cell('axe')], ['bob', cell('bow')], ['cid', cell('cup')])
      await linkMany(['ann', cell('bow')], ['bob', cell('cup')], ['cid', cell('axe')])
      expect(await shown(people, 'Things')).toEqual(rows('bow', 'cup', 'axe'))
      expect(await shown(things, 'People')).toEqual(['cid', 'ann', 'bob'])
      await linkMany(['ann', null], ['bob', cell('bow')])
      expect(await shown(people, 'Things')).toEqual(rows(null, 'bow', 'axe'))
      expect(await shown(things, 'People')).toEqual(['cid', 'bob', null])
    },
  )

  test('[LINK-9] is taken by one of those who want it at one time', async () => {
    await addLink('oneOne')
    const outcomes = await Promise.allSettled(
      (['ann', 'bob', 'cid'] as const).map((name) => link(name, ids.axe)),
    )
    const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(failures).toMatchObject([{ code: 'validation_error' }, { code: 'validation_error' }])
    const [holder] = (await shown(people, 'Things')).flatMap((cell, index) => (cell ? [index] : []))
    expect((await shown(things, 'People'))[0]).toBe(['ann', 'bob', 'cid'][holder ?? -1])
  })

  test('[LINK-10] takes ids and objects with ids, and empties with null', async () => {
    await addLink('manyMany')
    const sent = [ids.cup, { id: ids.axe, title: 'a lie' }, { id: ids.bow, more: 1 }]
    const cell = [titled('cup'), titled('axe'), titled('bow')]
    expect(await link('ann', sent)).toMatchObject({ Things: cell })
    const { version } = await world.api.records.getRecord({
      tableId: people.id,
      recordId: ids.ann,
    })
    expect(await link('ann', cell)).toMatchObject({ Things: cell })
    const place = { tableId: people.id, recordId: ids.ann }
    expect((await world.api.records.getRecord(place)).version).toBe(version)
    expect(await link('ann', [])).not.toHaveProperty('Things')
    await link('ann', sent)
    expect(await link('ann', null)).not.toHaveProperty('Things')
    const made = await world.add(people, { Name: 'dan', Things: sent }, { Things: [] })
    expect(await world.recordOf(people, made[0])).toEqual({ Name: 'dan', Things: cell })
    expect(await world.recordOf(people, made[1])).toEqual({})
    await world.remove(people, ...made)
    await link('ann', sent)
    expect(await world.textsOf(people, 'Things')).toEqual(['cup, axe, bow', null, null])
  })

  test('[LINK-2] [LINK-10] holds one record where it is a link to one', async () => {
    await addLink('manyOne')
    expect(await link('ann', ids.axe)).toMatchObject({ Things: titled('axe') })
    expect(await link('bob', { id: ids.axe })).toMatchObject({ Things: titled('axe') })
    expect(await shown(things, 'People')).toEqual([['ann', 'bob'], null, null])
    expect(await link('ann', ids.bow)).toMatchObject({ Things: titled('bow') })
    expect(await shown(things, 'People')).toEqual([['bob'], ['ann'], null])
    expect(await link('bob', null)).not.toHaveProperty('Things')
    expect(await shown(things, 'People')).toEqual([null, ['ann'], null])
  })

  test('[LINK-11] finds records by id and title with typecast', async () => {
    await addLink('manyMany')
    await world.change(things, ids.cup, { Name: 'cup, blue' })
    for (const [value, names] of [
      ['axe', ['axe']],
      [ids.bow, ['bow']],
      ['cup, blue', ['cup, blue']],
      [`bow, ${ids.axe}`, ['bow', 'axe']],
      ['"cup, blue", axe', ['cup, blue', 'axe']],
      [
        ['bow', { id: ids.axe }, 'nothing', 'bow'],
        ['bow', 'axe'],
      ],
      [{ id: ids.bow, title: 'axe' }, ['bow']],
      ['AXE', null],
      [7, null],
      [[], null],
    ] as const) {
      await link('ann', value, true)
      expect((await shown(people, 'Things'))[0]).toEqual(names)
    }
    const [ake] = await world.add(things, { Name: 'axe' })
    await link('bob', 'axe', true)
    expect(await world.cellsOf(people, 'Things')).toEqual([null, [titled('axe')], null])
    await world.remove(things, ids.axe)
    await link('bob', ['axe', ids.axe], true)
    expect(await world.cellsOf(people, 'Things')).toEqual([null, [{ id: ake, title: 'axe' }], null])
  })

  test('[LINK-70] prefers, of several with the same title, what is in the cell', async () => {
    await addLink('manyMany')
    const [second = '', comma = ''] = await world.add(things, { Name: 'axe' }, { Name: 'axe, bow' })
    const idsOf = async () =>
      (((await world.cellsOf(people, 'Things'))[0] ?? []) as { id: string }[]).map(({ id }) => id)
    const { axe, bow, cup } = ids
    for (const [held, sent, kept] of [
      [[second], 'axe', [second]],
      [[second, axe], 'axe, axe', [second, axe]],
      [[bow, second, cup], 'bow, axe', [bow, second]],
      [[second], ['axe', second], [axe, second]],
      [[second], ['bow', 'axe', 'axe'], [bow, second, axe]],
      // What is in the cell is named by the text of all of it, and not by that of another record.
      [[second, bow], 'axe, bow', [second, bow]],
      [[comma, second], '"axe, bow", axe', [comma, second]],
      [[cup], 'axe', [axe]],
      [[second], '', []],
      [[second], [], []],
    ] as const) {
      await link('ann', held)
      await link('ann', sent, true)
      expect([held, sent, await idsOf()]).toEqual([held, sent, kept])
    }
  })

  test('[LINK-101] takes a title of a text for another record than one whose id is in that text', async () => {
    await addLink('manyMany')
    const [second = ''] = await world.add(things, { Name: 'axe' })
    const { axe } = ids
    for (const [held, sent, kept] of [
      [[second], `axe, ${second}`, [axe, second]],
      [[second], `${second}, axe`, [second, axe]],
      [[axe, second], `axe, "${axe}"`, [second, axe]],
      [[axe, second], `axe, ${axe}, axe`, [second, axe]],
    ] as const) {
      await link('ann', held)
      await link('ann', sent, true)
      const [cell] = (await world.cellsOf(people, 'Things')) as { id: string }[][]
      expect([held, sent, cell?.map(({ id }) => id)]).toEqual([held, sent, kept])
    }
  })

  test('[LINK-70] the same where a cell links to one record', async () => {
    await addLink('manyOne')
    const [second = ''] = await world.add(things, { Name: 'axe' })
    await link('ann', second)
    await link('ann', 'axe', true)
    expect((await world.cellsOf(people, 'Things'))[0]).toEqual({ id: second, title: 'axe' })
    await link('ann', 'bow', true)
    expect((await world.cellsOf(people, 'Things'))[0]).toEqual({ id: ids.bow, title: 'bow' })
  })

  test('[LINK-11] searches so many records for titles that no text column holds', async () => {
    const sizes = await world.makeTable(
      'Sizes',
      [{ type: 'number', name: 'Size' }],
      [{ Size: 1 }, { Size: 2 }, { Size: 3 }],
    )
    await addLink('manyMany', {}, sizes)
    const findAll = async () => {
      await world.change(people, ids.ann, { Sizes: ['2.00', '3.00'] }, true)
      return ((await world.cellsOf(people, 'Sizes'))[0] as object[]).length
    }
    expect(await withLimits({ recordsPerPage: 1, titlesSearched: 2 }, findAll)).toBe(1)
    expect(await withLimits({ recordsPerPage: 1, titlesSearched: 3 }, findAll)).toBe(2)
  })

  test('[LINK-11] finds records that are called by a number or a moment', async () => {
    const days = await world.makeTable(
      'Days',
      [{ type: 'date', name: 'Day', options: { formatting: { date: 'D/M/YYYY', time: 'None' } } }],
      [{ Day: '2024-03-05' }, { Day: '2024-03-06' }],
    )
    await addLink('manyOne', {}, days)
    const sizes = await world.makeTable(
      'Sizes',
      [{ type: 'number', name: 'Size' }],
      [{ Size: 7.5 }, { Size: 8 }, {}],
    )
    await addLink('manyMany', {}, sizes)
    const formulas = await world.makeTable(
      'Doubles',
      [
        { type: 'formula', name: 'Twice', options: { expression: '{Size} * 2' } },
        { type: 'number', name: 'Size' },
      ],
      [{ Size: 1 }, { Size: 2 }],
    )
    await addLink('manyOne', {}, formulas)
    const cells = { Days: '6/3/2024', Sizes: '8.00, 7.50, 7.5', Doubles: '4.00' }
    expect(await world.change(people, ids.ann, cells, true)).toMatchObject({
      Days: { id: days.recordIds[1], title: '6/3/2024' },
      Sizes: [
        { id: sizes.recordIds[1], title: '8.00' },
        { id: sizes.recordIds[0], title: '7.50' },
      ],
      Doubles: { id: formulas.recordIds[1], title: '4.00' },
    })
    expect(await world.change(people, ids.ann, { Sizes: [8, ''] }, true)).not.toHaveProperty(
      'Sizes',
    )
  })

  test('[LINK-12] keeps the order of links, new ones last at the other end', async () => {
    await addLink('manyMany')
    await link('cid', [ids.axe])
    await link('ann', [ids.axe])
    await link('bob', [ids.bow, ids.axe])
    expect(await shown(things, 'People')).toEqual([['cid', 'ann', 'bob'], ['bob'], null])
    await link('ann', [ids.cup, ids.axe])
    await link('bob', [ids.axe, ids.bow])
    expect(await shown(people, 'Things')).toEqual([['cup', 'axe'], ['axe', 'bow'], ['axe']])
    expect(await shown(things, 'People')).toEqual([['cid', 'ann', 'bob'], ['bob'], ['ann']])
    await world.change(things, ids.axe, { People: [ids.bob, ids.ann] })
    expect(await shown(things, 'People')).toEqual([['bob', 'ann'], ['bob'], ['ann']])
    expect(await shown(people, 'Things')).toEqual([['cup', 'axe'], ['axe', 'bow'], null])
    await world.change(things, ids.bow, { People: [ids.ann, ids.cid] })
    expect(await shown(people, 'Things')).toEqual([['cup', 'axe', 'bow'], ['axe'], ['bow']])
  })

  test('[LINK-12] shows at both ends what one request says of either', async () => {
    await addLink('manyMany', {}, people)
    await world.change(people, ids.ann, { People: [ids.ann, ids.bob] })
    expect(await shown(people, 'People')).toEqual([['ann', 'bob'], null, null])
    expect(await shown(people, 'People 2')).toEqual([['ann'], ['ann'], null])
    await world.change(people, ids.ann, { People: [] })
    const rows = [
      { id: ids.ann, fields: { People: [ids.bob, ids.cid] } },
      { id: ids.cid, fields: { 'People 2': [ids.bob] } },
    ]
    const answered = await world.api.records.updateRecords({
      tableId: people.id,
      records: rows as never,
    })
    const { records } = await world.api.records.listRecords({ tableId: people.id })
    expect(answered.map(({ fields }) => fields)).toEqual([records[0]?.fields, records[2]?.fields])
    const pairs = async (field: string, isForth: boolean) =>
      (await shown(people, field))
        .flatMap((cell, index) =>
          ((cell ?? []) as string[]).map((name) => {
            const own = ['ann', 'bob', 'cid'][index]
            return isForth ? `${own} → ${name}` : `${name} → ${own}`
          }),
        )
        .toSorted()
    expect(await pairs('People', true)).toEqual(await pairs('People 2', false))
  })

  test('[LINK-13] refuses a record too many from either end', async () => {
    await addLink('manyMany')
    expect(limits.linksPerCell).toBe(10_000)
    await withLimits({ linksPerCell: 2 }, async () => {
      await linkMany(['ann', [ids.axe]], ['bob', [ids.axe]])
      const third = () => link('cid', [ids.axe])
      await world.expectNoTrace(third, {
        code: 'validation_error',
        data: {
          issues: [
            {
              path: ['record', 'fields', 'Things'],
              message:
                'a record can\'t be linked to more than 2 others by "People", the other end of "Things"',
            },
          ],
        },
      })
      await world.expectNoTrace(() => world.add(people, { Things: [ids.axe] }), {
        code: 'validation_error',
      })
      await linkMany(['bob', []], ['cid', [ids.axe]])
      expect(await shown(things, 'People')).toEqual([['ann', 'cid'], null, null])
    })
  })

  const linksAtOnce = [1, limits.linksStoredAtOnce]
  test.each(linksAtOnce)(
    '[TABLE-22] [LINK-30] links within a table are copied in the order that each end has them in, %s at a time',
    async (linksStoredAtOnce) => {
      await addLink('manyOne', { foreignTableId: people.id }, people)
      const [{ name: there } = { name: '' }, { name: here } = { name: '' }] = (
        await world.api.fields.listFields({ tableId: people.id })
      ).toReversed()
      for (const id of [ids.cid, ids.ann, ids.bob])
        await world.change(people, id, { [here]: ids.bob })
      expect(await world.textsOf(people, there)).toEqual([null, 'cid, ann, bob', null])
      const { baseId, api } = world
      const nodes = await api.tree.listNodes({ baseId })
      const { id: nodeId } = nodes.find(({ resourceId }) => resourceId === people.id) ?? { id: '' }
      const copy = await withLimits({ linksStoredAtOnce }, () =>
        api.tree.duplicateNode({ baseId, nodeId, includeRecords: true }),
      )
      expect(await world.textsOf({ id: copy.resourceId }, there)).toEqual([
        null,
        'cid, ann, bob',
        null,
      ])
      expect(await world.textsOf({ id: copy.resourceId }, here)).toEqual(['bob', 'bob', 'bob'])
    },
  )
})
