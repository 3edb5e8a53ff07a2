import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { describe, expect, test } from 'vitest'
import type { SchemaField } from '../schemas/table-schema.ts'
import { sharedStageOf } from './shared-stage.ts'
import type { Stage } from './stages/plan-stages.ts'

interface Follows {
  readonly own?: readonly string[]
  /** The field of the linked table that it reads through the link. */
  readonly reads?: string
  readonly facts?: readonly string[]
  readonly linkFieldId?: string
}

const fieldOf = (id: string, { own = [], reads, facts = [], linkFieldId = 'link' }: Follows) =>
  ({
    field: { id },
    column: { name: id, type: 'TEXT', index: 0 },
    computation: {
      ...{ ownFieldIds: own, reads: new Set(facts) },
      ...(reads && { through: { linkFieldId, fieldId: reads, fieldIds: [reads] } }),
    },
  }) as unknown as SchemaField

const linkOf = (relationship: string, isPending = false, baseId = 'bse1') =>
  ({
    ...fieldOf('link', { reads: 'name' }),
    field: { id: 'link', isPending },
    link: { end: { relationship, baseId } },
  }) as unknown as SchemaField

/** What of a stage of the fields is shared where these records changed: their ids by field. */
function sharedOf(
  fields: readonly SchemaField[],
  changed: Readonly<Record<string, readonly string[]>> = { name: ['rec1'] },
  { link = linkOf('manyOne'), dirty = [] as readonly string[] } = {},
) {
  const byId = new Map([link, ...fields].map((field) => [field.field.id, field]))
  const stage = { schema: { baseId: 'bse1', byKey: { id: byId } }, fields } as unknown as Stage
  const shared = sharedStageOf(
    stage,
    new Map(Object.entries(changed)),
    new Map(dirty.map((id) => [id, []])),
  )
  return shared && [shared.sourceIds, shared.reached.map(({ field }) => field.id)]
}

describe('a stage', () => {
  const lookup = fieldOf('lookup', { own: ['link'], reads: 'name' })
  const other = fieldOf('other', { own: ['link'], reads: 'continent' })
  const formula = fieldOf('formula', { own: ['lookup'] })

  test('[CALC-51] is worked out once where nothing but a linked record decides over its cells', () => {
    expect(sharedOf([linkOf('manyOne'), lookup])).toEqual([['rec1'], ['link', 'lookup']])
    expect(sharedOf([lookup, formula])).toEqual([['rec1'], ['lookup', 'formula']])
    expect(sharedOf([lookup], {}, {})).toBeUndefined()
    expect(sharedOf([lookup], { name: [] })).toBeUndefined()
    const link = linkOf('oneOne')
    expect(sharedOf([lookup], { name: ['rec1', 'rec2', 'rec1'] }, { link })).toEqual([
      ['rec1', 'rec2'],
      ['lookup'],
    ])
  })

  test('[CALC-51] writes the fields alone that what changed can reach', () => {
    expect(sharedOf([other, lookup, formula])).toEqual([['rec1'], ['lookup', 'formula']])
    const ofOther = fieldOf('of other', { own: ['other'] })
    expect(sharedOf([other, lookup, ofOther])).toEqual([['rec1'], ['lookup']])
  })

  test('[CALC-51] is worked out record by record where their own cells, or facts, take part', () => {
    const own = fieldOf('own', { own: ['entered', 'lookup'] })
    expect(sharedOf([lookup, own])).toBeUndefined()
    expect(sharedOf([lookup, fieldOf('own', { own: ['lookup', 'link'] })])).toBeUndefined()
    expect(sharedOf([lookup, fieldOf('dated', { own: ['lookup'], facts: ['now'] })])).toBe(
      undefined,
    )
    expect(sharedOf([lookup], { name: ['rec1'], link: ['rec9'] })).toBeUndefined()
    expect(sharedOf([lookup], { name: ['rec1'] }, { dirty: ['lookup'] })).toBeUndefined()
  })

  test('[CALC-51] and where it is shown through several links, a list of them, or one that is behind', () => {
    const elsewhere = fieldOf('elsewhere', {
      own: ['second'],
      reads: 'name',
      linkFieldId: 'second',
    })
    expect(sharedOf([lookup, elsewhere])).toBeUndefined()
    for (const relationship of ['manyMany', 'oneMany']) {
      expect(sharedOf([lookup], { name: ['rec1'] }, { link: linkOf(relationship) })).toBe(undefined)
    }
    expect(sharedOf([lookup], { name: ['rec1'] }, { link: linkOf('manyOne', true) })).toBe(
      undefined,
    )
  })

  test('[CALC-51] and where the pairs of the link lie in another base', () => {
    const link = linkOf('manyOne', false, 'bse2')
    expect(sharedOf([lookup], { name: ['rec1'] }, { link })).toBeUndefined()
  })

  test('[CALC-51] and where so many linked records changed that few show each', () => {
    expect(sharedOf([lookup], { name: ['a', 'b', 'c', 'd'] })).toBeDefined()
    expect(sharedOf([lookup], { name: ['a', 'b', 'c', 'd', 'e'] })).toBeUndefined()
  })
})

describeOnEveryStorage('records that show a linked one', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  test('[CALC-51] [CALC-13] change once each where it does, those that show another one do not', async () => {
    const countries = await world.makeTable(
      'Countries',
      [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Continent', type: 'singleLineText' },
      ],
      [{ Name: 'Japan', Continent: 'Asia' }, { Name: 'Kenya' }],
    )
    const [japan, kenya] = countries.recordIds
    const regions = await world.makeNames('Regions', 'a', 'b', 'c')
    const link = { relationship: 'manyOne', foreignTableId: countries.id }
    const { id: linkFieldId } = await world.addField(regions, {
      ...{ name: 'Country', type: 'link', options: link },
    })
    const { id: lookupFieldId } = await world.fieldOf(countries, 'Continent')
    const lookupOptions = { linkFieldId, foreignTableId: countries.id, lookupFieldId }
    const lookup = { name: 'Continent', type: 'singleLineText', isLookup: true, lookupOptions }
    await world.addField(regions, lookup)
    const options = { expression: 'UPPER({Continent}) & "!"' }
    await world.addField(regions, { name: 'Loud', type: 'formula', options })
    const [a, b, c] = regions.recordIds
    for (const id of [a, b]) await world.change(regions, id, { Country: japan })
    await world.change(regions, c, { Country: kenya })
    const versions = () =>
      Promise.all(
        regions.recordIds.map(async (recordId) => {
          const { version } = await world.api.records.getRecord({ tableId: regions.id, recordId })
          return version
        }),
      )
    const before = await versions()
    const grown = async () => (await versions()).map((version, n) => version - (before[n] ?? 0))

    await world.change(countries, japan, { Name: 'Nippon', Continent: 'Far East' })
    const shown = { id: japan, title: 'Nippon' }
    expect(await world.cellsOf(regions, 'Country')).toMatchObject([shown, shown, { id: kenya }])
    expect(await world.cellsOf(regions, 'Continent')).toEqual(['Far East', 'Far East', null])
    expect(await world.cellsOf(regions, 'Loud')).toEqual(['FAR EAST!', 'FAR EAST!', '!'])
    expect(await grown()).toEqual([1, 1, 0])

    await world.change(countries, japan, { Continent: 'far east' })
    expect(await world.cellsOf(regions, 'Loud')).toEqual(['FAR EAST!', 'FAR EAST!', '!'])
    expect(await grown()).toEqual([2, 2, 0])
    await world.remove(regions, b)
    await world.change(countries, japan, { Continent: null })
    expect(await world.cellsOf(regions, 'Continent')).toEqual([null, null])
    expect(await world.cellsOf(regions, 'Loud')).toEqual(['!', '!'])
  })
})
