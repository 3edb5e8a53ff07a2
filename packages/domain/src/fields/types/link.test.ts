import { linkCell, recordTitlesById } from '@gateleg/testing/arbitraries/dependent-field-options'
import { cellRules } from '@gateleg/testing/factories/cell-rules'
import {
  computationFor,
  computedCell,
  fieldShape,
  looseField,
} from '@gateleg/testing/factories/computed-cell'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { knownRecords } from '@gateleg/testing/factories/known-records'
import { assertOrderIsTotal } from '@gateleg/testing/properties/assert-order-is-total'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cell, Refusal } from '../cell.ts'
import { relationships } from '../link-end.ts'
import { link, linkPlace } from './link.ts'

const people = knownPeople({})
const targets = knownRecords({ rec1: 'Ada', rec2: 'Bob', rec3: 'Doe, Jane', rec4: 'Ada', rec5: '' })
const foreignTableId = 'tblThings'
const one = cellRules(link, { relationship: 'manyOne', foreignTableId })
const some = cellRules(link, { relationship: 'manyMany', foreignTableId })
const titled = (id: string, title?: string) => (title === undefined ? { id } : { id, title })
const accepts = (options: object): boolean =>
  link.options.safeParse({ relationship: 'oneOne', foreignTableId, ...options }).success

describe('a link to one record', () => {
  it('[FIELD-150] is sent as an id or as an object with one', () => {
    expect(one.parse('rec1')).toEqual({ id: 'rec1' })
    expect(one.parse({ id: 'rec1', title: 'whatever' })).toEqual({ id: 'rec1' })
    for (const value of ['', 'x'.repeat(65), 'a\0', '\ud800', {}, { id: 1 }, ['rec1'], 1]) {
      expect(one.parse(value)).toBeInstanceOf(Refusal)
    }
    expect(cellRules(link, { relationship: 'oneOne', foreignTableId })).toBe(one)
  })

  it('[FIELD-152] is found by id, else by title', () => {
    const cast = (value: unknown) => one.cast(value, { people, targets })
    expect(cast('rec2')).toEqual({ id: 'rec2' })
    expect(cast(' Ada ')).toEqual({ id: 'rec1' })
    expect(cast('Doe, Jane')).toEqual({ id: 'rec3' })
    expect(cast({ id: 'rec2', title: 'Ada' })).toEqual({ id: 'rec2' })
    expect(cast({ id: 'rec9', title: 'Ada' })).toEqual({ id: 'rec1' })
    expect(cast(['nobody', 'Bob', 'Ada'])).toEqual({ id: 'rec2' })
    for (const value of ['nobody', '', ' ', {}, [['rec1']], 7]) expect(cast(value)).toBeNull()
  })

  it('[FIELD-152] is not found where no table is at hand', () => {
    expect(one.cast('rec1', { people })).toBeNull()
    expect(some.cast(['rec1'], { people })).toBeNull()
  })

  it('[FIELD-154] is shown by the title of its record', () => {
    expect(one.format(titled('rec1', 'Ada, B'), people)).toBe('Ada, B')
    expect(one.format(titled('rec1'), people)).toBe('')
  })

  it('[FIELD-155] sorts by title, then by id', () => {
    const cells = [titled('b', 'x'), titled('c'), titled('a', 'x'), titled('d', 'X')]
    const sorted = cells.toSorted((a: Cell, b: Cell) => one.compare(a, b, people))
    expect(sorted).toEqual([cells[1], cells[3], cells[2], cells[0]])
  })

  it('[FIELD-157] is read by formulas as its title', () => {
    expect(one.toFormula?.(titled('rec1', 'Ada'), people)).toBe('Ada')
    expect(one.toFormula?.(titled('rec1'), people)).toBeNull()
  })
})

describe('links to several records', () => {
  it('[FIELD-150] are held once each in the order sent', () => {
    expect(some.parse(['rec2', { id: 'rec1' }])).toEqual([{ id: 'rec2' }, { id: 'rec1' }])
    expect(some.parse([])).toBeNull()
    for (const value of ['rec1', ['rec1', { id: 'rec1' }], [null], [['rec1']], {}]) {
      expect(some.parse(value)).toBeInstanceOf(Refusal)
    }
    const oneMany = cellRules(link, { relationship: 'oneMany', foreignTableId })
    expect(oneMany.parse(['rec1'])).toEqual([{ id: 'rec1' }])
  })

  it('[FIELD-150] are ten thousand at most', () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => `rec${index}`)
    expect(some.parse(ids)).toBeInstanceOf(Refusal)
    expect(some.parse(ids.slice(1))).toHaveLength(10_000)
    const all = { has: () => true, find: () => undefined }
    expect(some.cast(ids, { people, targets: all })).toHaveLength(10_000)
  })

  it('[FIELD-152] are found in lists and texts', () => {
    const cast = (value: unknown) => some.cast(value, { people, targets })
    expect(cast('Ada, nobody, rec2,Ada')).toEqual([{ id: 'rec1' }, { id: 'rec2' }])
    expect(cast('"Doe, Jane", Ada')).toEqual([{ id: 'rec3' }, { id: 'rec1' }])
    expect(cast('Doe, Jane')).toEqual([{ id: 'rec3' }])
    expect(cast([{ id: 'rec4' }, 'Bob', 'Doe, Jane'])).toEqual([
      { id: 'rec4' },
      { id: 'rec2' },
      { id: 'rec3' },
    ])
    expect(cast(['nobody'])).toBeNull()
  })

  it('[FIELD-154] are shown by their titles, joined like names', () => {
    const cell = [titled('rec1', 'Doe, Jane'), titled('rec2', 'Ada')]
    expect(some.format(cell, people)).toBe('"Doe, Jane", Ada')
  })

  it('[FIELD-155] sort by the first, the next, then the number of them', () => {
    const [a, b] = [titled('rec9', 'a'), titled('rec1', 'b')]
    const cells = [[b], [a, b], [a]]
    const sorted = cells.toSorted((x: Cell, y: Cell) => some.compare(x, y, people))
    expect(sorted).toEqual([[a], [a, b], [b]])
  })

  it('[FIELD-157] are read by formulas as their titles', () => {
    expect(some.toFormula?.([titled('rec1', 'Ada'), titled('rec2')], people)).toEqual(['Ada', null])
  })
})

describe.each(relationships)('a link that is %s', (relationship) => {
  const rules = cellRules(link, { relationship, foreignTableId })
  const cells = linkCell(relationship)

  it('[FIELD-151] is always read as the records that it was answered with', () => {
    fc.assert(
      fc.property(cells, (cell) => {
        const ids = link.link?.recordIds(cell as Cell) ?? []
        const read = rules.parse(cell)
        expect(read).not.toBeInstanceOf(Refusal)
        expect(link.link?.recordIds(read as Cell)).toEqual(ids)
        const known = knownRecords(recordTitlesById)
        expect(rules.cast(cell, { people, targets: known })).toEqual(read)
      }),
    )
  })

  it('[FIELD-155] is always ordered totally by its titles', () => {
    fc.assert(
      fc.property(fc.tuple(cells, cells, cells), (three) => {
        assertOrderIsTotal((a, b) => rules.compare(a as Cell, b as Cell, people), three)
      }),
    )
  })

  it('[FIELD-153] always names the texts by which its records may be found', () => {
    const text = fc.oneof(fc.constantFrom(...Object.values(recordTitlesById)), fc.string())
    const item = fc.oneof(text, fc.record({ id: text }), fc.record({ id: text, title: text }))
    fc.assert(
      fc.property(fc.oneof(item, fc.array(item)), (value) => {
        const asked = new Set<string>()
        const asking = {
          has: (id: string) => asked.add(id) === undefined,
          find: (title: string) => (asked.add(title) ? undefined : title),
        }
        expect(rules.cast(value, { people, targets: asking })).toBeNull()
        const named = new Set(link.link?.texts(value))
        expect([...asked].filter((text) => text !== '' && !named.has(text))).toEqual([])
      }),
    )
  })
})

describe('the texts of a value for a link', () => {
  it('[FIELD-153] are ids, titles and their parts that can be stored', () => {
    expect(link.link?.texts(' Ada, "B, C" ')).toEqual(['Ada, "B, C"', 'Ada', 'B, C'])
    expect(link.link?.texts([{ id: 'rec1', title: ' Ada' }, 'Doe, Jane', ''])).toEqual([
      'rec1',
      'Ada',
      'Doe, Jane',
    ])
    expect(link.link?.texts(['a\0', '\ud800', 7, null])).toEqual(['7'])
  })
})

describe('the titles of links', () => {
  const text = fieldShape('longText')
  const linkTo = (relationship: string) =>
    looseField(fieldShape('link', { relationship, foreignTableId, lookupFieldId: 'fldTitle' }))

  it('[FIELD-156] are what is shown of the linked records, none where that is nothing', () => {
    const cells = ['b', null, 'a, c']
    expect(computedCell(linkTo('manyMany'), text, cells)).toEqual([
      { id: 'rec1', title: 'b' },
      { id: 'rec2' },
      { id: 'rec3', title: 'a, c' },
    ])
    expect(computedCell(linkTo('oneOne'), fieldShape('number'), [1.5])).toEqual({
      id: 'rec1',
      title: '1.50',
    })
    const names = { usr1: 'Ada' }
    expect(computedCell(linkTo('manyOne'), fieldShape('user'), ['usr1'], names)).toEqual({
      id: 'rec1',
      title: 'Ada',
    })
    expect(computedCell(linkTo('manyMany'), fieldShape('button'), [{ count: 1 }])).toEqual([
      { id: 'rec1' },
    ])
  })

  it('[FIELD-156] are none where the field that they come from is gone', () => {
    expect(computedCell(linkTo('manyMany'), undefined, ['b'])).toEqual([{ id: 'rec1' }])
  })

  it('[FIELD-156] are cut to 500 characters', () => {
    const titleOf = (cell: string) =>
      (computedCell(linkTo('manyOne'), text, [cell]) as { title: string }).title
    expect(titleOf('x'.repeat(500))).toBe('x'.repeat(500))
    expect(titleOf('x'.repeat(501))).toBe('x'.repeat(500))
    expect(titleOf(`${'x'.repeat(499)}😀`)).toBe('x'.repeat(499))
  })

  it('[FIELD-156] follow the field that they come from', () => {
    const computation = computationFor(linkTo('manyMany'))
    expect(computation.ownFieldIds).toEqual([])
    expect(computation.through).toEqual({
      linkFieldId: 'fldComputed',
      fieldId: 'fldTitle',
      fieldIds: ['fldTitle'],
    })
    expect(computedCell(linkTo('manyMany'), text, [])).toBeNull()
    expect(computedCell(linkTo('manyOne'), text, [])).toBeNull()
  })
})

describe('the options of a link', () => {
  it('[FIELD-158] name a table and a relationship', () => {
    for (const missing of ['relationship', 'foreignTableId']) {
      expect(accepts({ [missing]: undefined })).toBe(false)
    }
    expect(accepts({ relationship: 'several' })).toBe(false)
    expect(accepts({})).toBe(true)
  })

  it('[FIELD-158] may name a field for titles, a view, the fields to show and a filter', () => {
    expect(accepts({ lookupFieldId: 'fld1', filterByViewId: 'viw1', visibleFieldIds: ['f'] })).toBe(
      true,
    )
    expect(accepts({ filterByViewId: null, visibleFieldIds: null, filter: null })).toBe(true)
    expect(accepts({ filter: { conjunction: 'and', filterSet: [] } })).toBe(true)
    expect(accepts({ filter: {} })).toBe(false)
  })

  it.each([true, false])('[FIELD-159] tell where its pairs are (owner: %s)', (isOwner) => {
    const place = { baseId: 'bse1', ownerFieldId: 'fld1', isOwner }
    const options = link.options.parse({
      relationship: 'oneMany',
      foreignTableId,
      ...linkPlace(place),
    })
    expect(link.link?.endOf(options)).toEqual({ ...place, relationship: 'oneMany' })
    expect(linkPlace(place)).toEqual({
      fkHostTableName: 'bse1.__link_fld1',
      selfKeyName: isOwner ? '__maker_id' : '__other_id',
      foreignKeyName: isOwner ? '__other_id' : '__maker_id',
    })
  })
})
