import {
  dependentFieldArbitraries,
  linkCell,
  recordTitlesById,
} from '@gateleg/testing/arbitraries/dependent-field-options'
import { fieldArbitraries, userNamesById } from '@gateleg/testing/arbitraries/field-options'
import { CountingIds } from '@gateleg/testing/doubles/counting-ids'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { knownRecords } from '@gateleg/testing/factories/known-records'
import { assertRoundTrips } from '@gateleg/testing/properties/assert-round-trips'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CellValueType } from '../../../values/value-type.ts'
import { type CastContext, type Cell, Refusal } from '../../cell.ts'
import { fitOptions, type ResultOptions } from '../../cells/result-formatting.ts'
import type { FieldShape } from '../../field.ts'
import { type FieldTypeName, fieldTypeNames } from '../../field-type-name.ts'
import { isComputed, rulesOf, typeOf } from '../../field-values.ts'
import type { Relationship } from '../../link-end.ts'
import { cellConverter, withoutMissingChoices } from './convert-cell.ts'

const context: CastContext = {
  people: knownPeople({ usrAda: 'Ada', usrBob: 'Bob', usrLovelace: 'Lovelace, Ada' }),
  targets: knownRecords({ recAda: 'Ada', recPlan: 'Plan', recDoe: 'Doe, Jane' }),
}

/** A field of the type with options as a caller sends them. */
function field(type: FieldTypeName, options: object = {}): FieldShape {
  const found = typeOf({ type })
  const parsed = found.options.parse({ ...required[type], ...options })
  const complete = found.complete?.(parsed, new CountingIds()) ?? parsed
  return { type, options: complete, isLookup: false, result: null }
}

const required: Partial<Record<FieldTypeName, object>> = {
  formula: { expression: '1' },
  link: { relationship: 'manyMany', foreignTableId: 'tblThings' },
}

/** A formula whose values are of the kind. */
function computed(cellValueType: CellValueType, isMultiple = false): FieldShape {
  const { options } = fitOptions(field('formula').options as ResultOptions, cellValueType)
  return { type: 'formula', options, isLookup: false, result: { cellValueType, isMultiple } }
}

/** A lookup of such a field, whose cells hold a list unless it is said otherwise. */
function lookupOf({ type, options }: FieldShape, isMultiple = true): FieldShape {
  const cellValueType = typeOf({ type }).cellValueType(options)
  return { type, options, isLookup: true, result: { cellValueType, isMultiple } }
}

function convert(from: FieldShape, cell: Cell, to: FieldShape): Cell | null {
  return cellConverter({ field: from }, to)(cell, context)
}

const tags = (...names: string[]): FieldShape =>
  field('multipleSelect', { choices: names.map((name) => ({ name })) })
const status = (...names: string[]): FieldShape =>
  field('singleSelect', { choices: names.map((name) => ({ name })) })
const dollars = field('number', { formatting: { type: 'currency', precision: 2, symbol: '$' } })
const people = field('user', { isMultiple: true })
const otherLink = field('link', { foreignTableId: 'tblOthers' })

/** A field of each type that the samples below are converted into. */
const targets = {
  singleLineText: field('singleLineText'),
  longText: field('longText'),
  people,
  attachment: field('attachment'),
  checkbox: field('checkbox'),
  tags: tags(),
  status: status(),
  date: field('date'),
  number: field('number'),
  rating: field('rating'),
  otherLink,
  button: field('button'),
}

/** What becomes of a cell: where nothing is said of a field, the cell is empty there. */
interface Sample {
  readonly from: FieldShape
  readonly cell: Cell
  readonly becomes: Partial<Record<keyof typeof targets, Cell | null>>
}

const moment = '2024-03-05T10:20:30.000Z'
const file = { id: 'act1', name: 'a.png', token: 't', path: 'p', size: 1, mimetype: 'image/png' }

/** What most things become: their text. */
function textOf(text: string, names: readonly string[] = [text]): Sample['becomes'] {
  return { singleLineText: text, longText: text, status: text, tags: names, checkbox: true }
}

const samples: readonly Sample[] = [
  {
    from: field('singleLineText'),
    cell: 'Ada, Plan',
    becomes: {
      ...textOf('Ada, Plan', ['Ada', 'Plan']),
      people: ['usrAda'],
      otherLink: [{ id: 'recAda' }, { id: 'recPlan' }],
    },
  },
  {
    from: field('singleLineText'),
    cell: '$1,234.5',
    becomes: { ...textOf('$1,234.5', ['$1', '234.5']), number: 1234.5, rating: 5 },
  },
  {
    from: field('longText'),
    cell: ' 2024-03-05 ',
    becomes: {
      ...textOf('2024-03-05'),
      longText: ' 2024-03-05 ',
      date: '2024-03-05T00:00:00.000Z',
    },
  },
  {
    from: field('user'),
    cell: 'usrLovelace',
    becomes: { ...textOf('Lovelace, Ada'), people: ['usrLovelace'] },
  },
  {
    from: people,
    cell: ['usrBob', 'usrAda'],
    becomes: {
      ...textOf('Bob, Ada', ['Bob', 'Ada']),
      people: ['usrBob', 'usrAda'],
      otherLink: [{ id: 'recAda' }],
    },
  },
  {
    from: field('attachment'),
    cell: [file],
    becomes: { ...textOf('a.png (t)'), attachment: [file] },
  },
  {
    from: field('checkbox'),
    cell: true,
    becomes: { ...textOf('true'), number: 1, rating: 1 },
  },
  {
    from: tags('7', 'Ada'),
    cell: ['7', 'Ada'],
    becomes: {
      ...textOf('7, Ada', ['7', 'Ada']),
      status: '7',
      people: ['usrAda'],
      otherLink: [{ id: 'recAda' }],
    },
  },
  {
    from: status('Doe, Jane'),
    cell: 'Doe, Jane',
    becomes: { ...textOf('Doe, Jane'), otherLink: [{ id: 'recDoe' }] },
  },
  {
    from: field('date', { formatting: { date: 'YYYY', timeZone: 'Asia/Tokyo' } }),
    cell: moment,
    becomes: { ...textOf('2024'), date: moment },
  },
  {
    from: dollars,
    cell: 1234.567,
    becomes: { ...textOf('$1,234.57'), number: 1234.567, rating: 5 },
  },
  {
    from: field('rating'),
    cell: 4,
    becomes: { ...textOf('4'), number: 4, rating: 4 },
  },
  {
    from: computed('string'),
    cell: '12',
    becomes: { ...textOf('12'), number: 12, rating: 5 },
  },
  {
    from: computed('boolean'),
    cell: false,
    becomes: { ...textOf('false'), checkbox: null, number: 0 },
  },
  {
    from: { ...computed('number'), type: 'rollup' },
    cell: 0.2,
    becomes: { ...textOf('0.20'), number: 0.2 },
  },
  {
    from: field('link'),
    cell: [
      { id: 'recX', title: 'Doe, Jane' },
      { id: 'recY', title: 'Plans' },
    ],
    becomes: {
      ...textOf('"Doe, Jane", Plans', ['Doe, Jane', 'Plans']),
      otherLink: [{ id: 'recDoe' }],
    },
  },
  { from: field('createdTime'), cell: moment, becomes: { ...textOf('2024-03-05'), date: moment } },
  {
    from: field('lastModifiedTime', { formatting: { time: 'HH:mm' } }),
    cell: moment,
    becomes: { ...textOf('2024-03-05 10:20'), date: moment },
  },
  { from: field('createdBy'), cell: 'usrBob', becomes: { ...textOf('Bob'), people: ['usrBob'] } },
  {
    from: field('lastModifiedBy'),
    cell: 'usrGone',
    becomes: { ...textOf('Unknown'), people: ['usrGone'] },
  },
  {
    from: field('autoNumber'),
    cell: 2024,
    becomes: { ...textOf('2024'), number: 2024, rating: 5 },
  },
  { from: field('button'), cell: { count: 2 }, becomes: { button: { count: 2 } } },
]

describe('conversion of a cell', () => {
  it.each(samples)('[FIELD-129] of $from.type: $cell has its reading in each type', (sample) => {
    const { from, cell, becomes } = sample
    const results = Object.entries(targets).map(([name, to]) => [name, convert(from, cell, to)])
    const empty = Object.keys(targets).map((name) => [name, null])
    expect(Object.fromEntries(results)).toEqual({ ...Object.fromEntries(empty), ...becomes })
  })

  it('[FIELD-129] has a sample of every type, and a target of every one that is written', () => {
    expect(new Set(samples.map(({ from }) => from.type))).toEqual(new Set(fieldTypeNames))
    const written = fieldTypeNames.filter((name) => !isComputed(field(name)))
    expect(new Set(Object.values(targets).map(({ type }) => type))).toEqual(new Set(written))
  })

  it('[FIELD-129] puts nothing into computed fields', () => {
    const read = fieldTypeNames.map((name) => field(name)).filter(isComputed)
    expect(read.length).toBe(7)
    for (const to of [...read, lookupOf(field('singleLineText'))]) {
      for (const { from, cell } of samples) expect(convert(from, cell, to)).toBeNull()
    }
  })

  it('[FIELD-122] shows in text what was shown before', () => {
    const toText = (from: FieldShape, cell: Cell) => convert(from, cell, field('longText'))
    expect(toText(dollars, -1234.5)).toBe('-$1,234.50')
    expect(toText(lookupOf(dollars), [1, 2000])).toBe('$1.00, "$2,000.00"')
    expect(toText(lookupOf(dollars), [2000])).toBe('"$2,000.00"')
    expect(toText(tags('a, b'), ['a, b'])).toBe('"a, b"')
    expect(toText(lookupOf(field('longText')), ['a, b', 'c'])).toBe('"a, b", c')
    expect(convert(field('longText'), 'a\nb', field('singleLineText'))).toBe('a b')
    expect(convert(field('longText'), ' \n', field('singleLineText'))).toBeNull()
  })

  it('[FIELD-123] keeps numbers, boxes and moments, whatever is shown of them', () => {
    const rounded = field('number', { formatting: { type: 'percent', precision: 0 } })
    expect(convert(rounded, 0.126, field('number'))).toBe(0.126)
    expect(convert(rounded, 0.126, field('rating'))).toBeNull()
    expect(convert(rounded, 3.6, field('rating'))).toBe(4)
    expect(convert(rounded, 0.001, field('checkbox'))).toBe(true)
    expect(convert(field('number'), 0, field('checkbox'))).toBeNull()
    expect(convert(computed('boolean'), false, field('number'))).toBe(0)
    const years = field('date', { formatting: { date: 'YYYY', timeZone: 'Asia/Tokyo' } })
    expect(convert(field('date'), moment, years)).toBe(moment)
  })

  it('[FIELD-124] makes no moments of numbers, nor numbers of moments', () => {
    const years = field('date', { formatting: { date: 'YYYY' } })
    expect(convert(field('singleLineText'), '2024', years)).not.toBeNull()
    expect(convert(field('autoNumber'), 2024, years)).toBeNull()
    expect(convert(lookupOf(field('autoNumber')), [2024], years)).toBeNull()
    for (const to of [field('number'), field('rating')]) {
      expect(convert(years, moment, to)).toBeNull()
      expect(convert(lookupOf(years), [moment], to)).toBeNull()
    }
  })

  it('[FIELD-125] keeps users, known or not', () => {
    expect(convert(people, ['usrGone', 'usrAda'], field('user'))).toBe('usrGone')
    expect(convert(field('user'), 'usrGone', people)).toEqual(['usrGone'])
    const creators = lookupOf(field('createdBy'))
    expect(convert(creators, ['usrBob', 'usrBob', 'usrAda'], people)).toEqual(['usrBob', 'usrAda'])
  })

  it('[FIELD-125] keeps the links into the same table', () => {
    const one = field('link', { relationship: 'manyOne' })
    const items = [{ id: 'recGone', title: 'Plan' }, { id: 'recAda' }]
    expect(convert(field('link'), items, one)).toEqual({ id: 'recGone' })
    expect(convert(one, { id: 'recGone' }, field('link'))).toEqual([{ id: 'recGone' }])
    expect(convert(lookupOf(one), items, field('link'))).toEqual([
      { id: 'recGone' },
      { id: 'recAda' },
    ])
  })

  it('[FIELD-125] finds links into another table by title', () => {
    const one = field('link', { relationship: 'manyOne', foreignTableId: 'tblOthers' })
    const items = [{ id: 'recX' }, { id: 'recY', title: 'Plan' }, { id: 'recZ', title: 'Plans' }]
    expect(convert(field('link'), items, otherLink)).toEqual([{ id: 'recPlan' }])
    expect(convert(field('link'), items, one)).toEqual({ id: 'recPlan' })
  })

  it('[FIELD-125] keeps files', () => {
    const files = lookupOf(field('attachment'))
    expect(convert(files, [file, file], field('attachment'))).toEqual([file, file])
  })

  it('[FIELD-126] keeps the names of choices', () => {
    expect(convert(status('a, b'), 'a, b', tags())).toEqual(['a, b'])
    expect(convert(tags('b', 'a'), ['a', 'b'], status())).toBe('a')
    expect(convert(lookupOf(status('a, b')), ['a, b', 'c', 'c'], tags())).toEqual(['a, b', 'c'])
    expect(convert(lookupOf(tags('a', 'b')), ['b', 'a'], status())).toBe('b')
  })

  it('[FIELD-126] leaves out names that are no choices where new ones are forbidden', () => {
    const closed = { choices: [{ name: 'a' }], preventAutoNewOptions: true }
    expect(convert(tags('b', 'a'), ['b', 'a'], field('multipleSelect', closed))).toEqual(['a'])
    expect(convert(tags('b', 'a'), ['b', 'a'], field('singleSelect', closed))).toBeNull()
    expect(convert(field('longText'), 'b', field('singleSelect', closed))).toBeNull()
  })

  it('[FIELD-126] leaves out choices that found no room', () => {
    expect(withoutMissingChoices(tags('a', 'b'), ['c', 'b', 'd', 'a'])).toEqual(['b', 'a'])
    expect(withoutMissingChoices(tags('a'), ['c', 'd'])).toBeNull()
    expect(withoutMissingChoices(status('a'), 'a')).toBe('a')
    expect(withoutMissingChoices(status('a'), 'b')).toBeNull()
    expect(withoutMissingChoices(field('longText'), 'b')).toBe('b')
  })

  it('[FIELD-127] takes the item of a list with one', () => {
    expect(convert(lookupOf(dollars), [1234.567], field('number'))).toBe(1234.567)
    expect(convert(lookupOf(field('date')), [moment], field('date'))).toBe(moment)
    expect(convert(computed('boolean', true), [false], field('checkbox'))).toBeNull()
    expect(convert(computed('boolean', true), [true], field('number'))).toBe(1)
    expect(convert(computed('number', true), [null], status())).toBeNull()
    expect(convert(people, ['usrLovelace'], status())).toBe('Lovelace, Ada')
    expect(convert(tags('1,234'), ['1,234'], field('number'))).toBe(1234)
    expect(convert(lookupOf(field('number'), false), 1.5, field('number'))).toBe(1.5)
  })

  it('[FIELD-127] reads the text of a longer list', () => {
    expect(convert(lookupOf(field('number')), [1, 2], field('number'))).toBeNull()
    expect(convert(lookupOf(field('rating')), [1, 2], status())).toBe('1, 2')
    expect(convert(people, ['usrLovelace', 'usrBob'], status())).toBe('"Lovelace, Ada", Bob')
  })

  it('[FIELD-128] splits text and lists, and nothing else', () => {
    expect(convert(field('longText'), 'a, "b, c"', tags())).toEqual(['a', 'b, c'])
    expect(convert(lookupOf(dollars), [1000, 2], tags())).toEqual(['$1,000.00', '$2.00'])
    expect(convert(people, ['usrLovelace', 'usrBob'], tags())).toEqual(['Lovelace, Ada', 'Bob'])
    expect(convert(people, ['usrLovelace'], tags())).toEqual(['Lovelace, Ada'])
    expect(convert(dollars, 1000, tags())).toEqual(['$1,000.00'])
    expect(convert(field('user'), 'usrLovelace', tags())).toEqual(['Lovelace, Ada'])
    expect(convert(status('Doe, Jane'), 'Doe, Jane', otherLink)).toEqual([{ id: 'recDoe' }])
  })
})

describe('any conversion', () => {
  const known: CastContext = {
    people: knownPeople(userNamesById),
    targets: knownRecords(recordTitlesById),
  }
  const arbitraries = { ...fieldArbitraries, ...dependentFieldArbitraries }

  /** A field of the type with a cell that is not empty, if it has one. */
  const fieldsWithCells = (type: FieldTypeName) =>
    arbitraries[type].options.chain((options) => {
      const made = field(type, options)
      const { relationship } = made.options as { relationship?: Relationship }
      const cells = relationship
        ? linkCell(relationship)
        : arbitraries[type].json(made.options).map((json) => rulesOf(made).parse(json))
      return fc.record({ made: fc.constant(made), cell: cells as fc.Arbitrary<Cell | null> })
    })
  const anyField = fc.constantFrom(...fieldTypeNames).chain(fieldsWithCells)
  const anyCells = anyField.chain(({ made, cell }) =>
    fc.constantFrom(
      { from: made, cell },
      { from: lookupOf(made), cell: cell === null ? null : [cell, cell].flat() },
      { from: lookupOf(made), cell: cell === null ? null : [cell].flat().slice(0, 1) },
    ),
  )
  const isLink = ({ type }: FieldShape) => typeOf({ type }).link !== undefined
  /** Titles aren't kept: they are computed again. */
  const withoutTitles = (to: FieldShape, cell: Cell) =>
    isLink(to) ? rulesOf(to).parse(cell) : cell

  it('[FIELD-121] always gives null or a cell of the field', () => {
    fc.assert(
      fc.property(anyCells, anyField, ({ from, cell }, { made: to }) => {
        fc.pre(cell !== null)
        const converted = cellConverter({ field: from }, to)(cell, known)
        if (isComputed(to)) expect(converted).toBeNull()
        if (converted === null) return
        const { choices } = typeOf(to)
        const missing = choices?.missing(to.options, converted) ?? []
        const options = choices?.add(to.options, missing, new CountingIds()) ?? to.options
        const { parse, toJson } = rulesOf({ ...to, options })
        assertRoundTrips(converted, (own) => toJson?.(own, known.people) ?? own, parse)
        expect(withoutMissingChoices({ ...to, options }, converted)).toEqual(converted)
        const kept = withoutMissingChoices(to, converted)
        expect(kept === null ? null : rulesOf(to).parse(kept)).not.toBeInstanceOf(Refusal)
      }),
      { numRuns: 1_000 },
    )
  })

  it('[FIELD-120] never changes a cell when the field stays the same', () => {
    fc.assert(
      fc.property(anyField, ({ made, cell }) => {
        fc.pre(cell !== null && !isComputed(made))
        const same = cellConverter({ field: made }, structuredClone(made))(cell, known)
        expect(same).toEqual(withoutTitles(made, cell))
      }),
      { numRuns: 500 },
    )
  })
})
