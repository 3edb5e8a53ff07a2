import { suiteStorages } from '@gateleg/testing/test-engine'
import { openQueryWorld, type QueryWorld } from '@gateleg/testing/worlds/query-world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nobody } from '../fields/cell.ts'
import { type Filter, type FilterItem, filterSchema } from '../fields/filter.ts'
import { parseInput } from '../input/parse-input.ts'
import { limits } from '../limits.ts'
import { meetsCondition } from '../records/evaluation/meets-condition.ts'
import { toCondition, toStoredCondition } from './to-condition.ts'
import { toSortKeys } from './to-sort-keys.ts'

const wrongAt = (...path: (string | number)[]) => ({
  code: 'validation_error',
  data: { issues: [{ path: ['filter', ...path], message: expect.any(String) }] },
})

const now = '2026-03-18T12:00:00.000Z'

describe('the form of a filter', () => {
  const issuesOf = (filter: unknown) => {
    const parsed = parseInput(filterSchema, filter)
    return 'issues' in parsed ? parsed.issues.map(({ path }) => path.join('.')) : []
  }
  const group = (...filterSet: unknown[]) => ({ conjunction: 'and', filterSet })
  const item = { fieldId: 'Name', operator: 'is', value: 'x' }

  test('[QUERY-2] has its members and no others', () => {
    expect(issuesOf(group(item, group(item)))).toEqual([])
    expect(issuesOf([])).toEqual([''])
    expect(issuesOf({})).toEqual(['conjunction', 'filterSet'])
    expect(issuesOf({ ...group(), more: 1 })).toEqual([''])
    expect(issuesOf(group({ ...item, more: 1 }))).toEqual(['filterSet.0'])
    expect(issuesOf(group(group({ ...item, operator: 'like' })))).toEqual([
      'filterSet.0.filterSet.0.operator',
    ])
    expect(issuesOf(group({ operator: 'is' }, 1))).toEqual(['filterSet.1', 'filterSet.0.fieldId'])
    expect(issuesOf(group({ ...item, operator: '=', isSymbol: true }))).toEqual([])
    expect(issuesOf(group({ ...item, operator: '=', isSymbol: 1 }))).toHaveLength(2)
  })

  test('[QUERY-2] is neither too long nor too deep', () => {
    const items = new Array(limits.filterItems).fill(item)
    expect(issuesOf(group(...items))).toEqual([])
    expect(issuesOf(group(...items, item))).toEqual(['filterSet'])
    const nested = (levels: number): unknown => (levels === 1 ? group() : group(nested(levels - 1)))
    expect(issuesOf(nested(limits.filterDepth))).toEqual([])
    expect(issuesOf(nested(limits.filterDepth + 1))).toHaveLength(1)
    expect(issuesOf(nested(1_000))).toHaveLength(1)
  })
})

const [storage] = suiteStorages()

describe.runIf(storage)('what a filter asks', () => {
  let world: QueryWorld

  beforeAll(async () => {
    if (storage) world = await openQueryWorld(storage)
  })
  afterAll(() => world.close())

  const context = () => ({
    schema: world.schema,
    fieldKeyType: 'name' as const,
    userId: world.ada.userId,
    now,
  })
  const found = (...filterSet: (FilterItem & { readonly isSymbol?: boolean })[]) => {
    const filter: Filter = { conjunction: 'and', filterSet }
    const condition = toCondition(filter, context())
    return world.records
      .filter((record) => meetsCondition(condition, record, nobody))
      .map(({ id }) => id)
  }
  const count = (fieldId: string, operator: FilterItem['operator'], value: unknown = null) =>
    found({ fieldId, operator, value }).length

  test('[QUERY-3] names fields as the caller does, or by id, and refuses what there is not', () => {
    const { id = '' } = world.schema.byKey.name.get('Name')?.field ?? {}
    expect(found({ fieldId: id, operator: 'isEmpty' })).toEqual(
      found({ fieldId: 'Name', operator: 'isEmpty' }),
    )
    expect(() => count('Nothing', 'is', 'x')).toThrow(
      expect.objectContaining(wrongAt('filterSet', 0, 'fieldId')),
    )
    expect(() => count('Name', 'isGreater', 1)).toThrow(
      expect.objectContaining(wrongAt('filterSet', 0, 'operator')),
    )
    for (const [field, operator, value] of [
      ['Name', 'is', 5],
      ['Name', 'is', ['x']],
      ['Number', 'is', '5'],
      ['Done', 'is', 'true'],
      ['Some', 'hasAnyOf', 'Low'],
      ['One', 'isAnyOf', [1]],
    ] as const) {
      expect(() => count(field, operator, value), field).toThrow('filter.filterSet.0.value')
    }
    for (const value of [
      'today',
      { mode: 'never' },
      { mode: 'daysAgo' },
      { mode: 'today', numberOfDays: 1 },
      { mode: 'exactDate', exactDate: 'soon' },
      { mode: 'today', timeZone: 'Nowhere' },
      { mode: 'pastWeek' },
    ]) {
      expect(() => count('Date', 'is', value)).toThrow('filter.filterSet.0.value')
    }
  })

  test('[QUERY-3] refuses an item with more values than a select has choices', () => {
    expect(limits.filterValues).toBe(1_000)
    const values = new Array(limits.filterValues).fill('Low')
    for (const [field, operator] of [
      ['One', 'isAnyOf'],
      ['One', 'isNoneOf'],
      ['Some', 'hasAnyOf'],
      ['Some', 'isExactly'],
      ['Users', 'hasAllOf'],
    ] as const) {
      expect(count(field, operator, values), field).toBe(count(field, operator, ['Low']))
      expect(() => count(field, operator, [...values, 'Low']), field).toThrow(
        expect.objectContaining(wrongAt('filterSet', 0, 'value')),
      )
    }
  })

  test.each([
    ['name', 'name or id'],
    ['dbFieldName', 'column name or id'],
    ['id', 'id'],
  ] as const)(
    '[QUERY-3] says by what fields are named where the key is the %s',
    (fieldKeyType, keys) => {
      const by = { ...context(), fieldKeyType }
      const message = `must be the ${keys} of a field of the table`
      const item = { fieldId: 'Nothing', operator: 'isEmpty' } as const
      const filter = { conjunction: 'and', filterSet: [item] } as const
      expect(() => toCondition(filter, by)).toThrow(`fieldId: ${message}`)
      const sort = [{ fieldId: 'Nothing', order: 'asc' }] as const
      expect(() => toSortKeys(sort, by, 'orderBy')).toThrow(`fieldId: ${message}`)
    },
  )

  test('[QUERY-3] passes over what no longer fits where it is stored', () => {
    const stored = (...filterSet: FilterItem[]) =>
      toStoredCondition({ conjunction: 'or', filterSet }, context())
    const gone = { fieldId: 'Nothing', operator: 'is', value: 'x' } as const
    const unfit = { fieldId: 'Name', operator: 'isGreater', value: 1 } as const
    expect(stored(gone, unfit)).toEqual({ kind: 'all', conditions: [] })
    expect(stored(gone, { fieldId: 'Name', operator: 'isEmpty' })).toMatchObject({ kind: 'empty' })
  })

  test('[QUERY-4] takes the operators of what cells hold', () => {
    expect(count('Link Amount', 'isGreater', 0.5)).toBeGreaterThan(0)
    expect(count('Links Amount', 'isGreater', 0.5)).toBeGreaterThan(0)
    expect(count('Links Level', 'hasAnyOf', ['high'])).toBeGreaterThan(0)
    expect(count('Links Title', 'contains', 'a')).toBeGreaterThan(0)
    expect(count('Boolean formula', 'is', true)).toBeGreaterThan(0)
    expect(() => count('Links Level', 'is', 'high')).toThrow('operator')
    expect(() => count('Files', 'is', 'x')).toThrow('operator')
  })

  test('[QUERY-5] asks nothing by null, but of checkboxes and whether there is anything', () => {
    const all = world.records.length
    expect(count('Name', 'is')).toBe(all)
    expect(count('Date', 'isWithIn')).toBe(all)
    expect(count('Name', 'isEmpty') + count('Name', 'isNotEmpty')).toBe(all)
    expect(count('Done', 'is')).toBe(count('Done', 'is', false))
    expect(count('Done', 'is', true) + count('Done', 'is', false)).toBe(all)
    expect(found()).toHaveLength(all)
  })

  test('[QUERY-6] counts empty cells among what is denied', () => {
    const all = world.records.length
    expect(count('Name', 'is', 'Ada') + count('Name', 'isNot', 'Ada')).toBe(all)
    const some = ['Low', 'high']
    expect(count('Some', 'hasAnyOf', some) + count('Some', 'hasNoneOf', some)).toBe(all)
    expect(count('Some', 'isExactly', some) + count('Some', 'isNotExactly', some)).toBe(all)
    expect(count('One', 'isAnyOf', some) + count('One', 'isNoneOf', some)).toBe(all)
    expect(count('Link', 'contains', 'a') + count('Link', 'doesNotContain', 'a')).toBe(all)
  })

  test('[QUERY-7] takes both cases for the same where one text is in another', () => {
    expect(count('Name', 'contains', 'ADA')).toBe(count('Name', 'contains', 'ada'))
    expect(count('Name', 'contains', 'ΣΥΦΟΣ')).toBe(count('Name', 'contains', 'συφοσ'))
    expect(count('Name', 'is', 'ADA')).toBeLessThan(count('Name', 'contains', 'ada'))
  })

  test('[QUERY-9] takes Me for who asks', () => {
    expect(found({ fieldId: 'User', operator: 'is', value: 'Me' })).toEqual(
      found({ fieldId: 'User', operator: 'is', value: world.ada.userId }),
    )
    expect(found({ fieldId: 'Users', operator: 'hasAnyOf', value: ['Me'] })).toEqual(
      found({ fieldId: 'Users', operator: 'hasAnyOf', value: [world.ada.userId] }),
    )
  })

  const toField = (fieldId: string) => ({ type: 'field', fieldId })

  test('[QUERY-15] compares the cells of two fields', () => {
    const by = (fieldId: string, operator: FilterItem['operator'], other: string) =>
      new Set(found({ fieldId, operator, value: toField(other) }))
    const cells = (name: string) => {
      const { column } = world.schema.byKey.name.get(name) ?? {}
      return new Map(world.records.map(({ id, cells }) => [id, cells[column?.index ?? -1] ?? null]))
    }
    const [numbers, stars] = [cells('Number'), cells('Stars')] as Map<string, number | null>[]
    const fitting = (holds: (a: number, b: number) => boolean) =>
      new Set(
        world.records.flatMap(({ id }) => {
          const [a, b] = [numbers?.get(id) ?? null, stars?.get(id) ?? null]
          return a !== null && b !== null && holds(a, b) ? [id] : []
        }),
      )
    expect(by('Number', 'isGreater', 'Stars')).toEqual(fitting((a, b) => a > b))
    expect(by('Number', 'isGreater', 'Stars').size).toBeGreaterThan(0)
    expect(by('Number', 'isLessEqual', 'Stars')).toEqual(fitting((a, b) => a <= b))
    expect(by('Number', 'is', 'Number')).toEqual(
      new Set(found({ fieldId: 'Number', operator: 'isNotEmpty' })),
    )
    const all = world.records.length
    expect(by('Number', 'is', 'Stars').size + by('Number', 'isNot', 'Stars').size).toBe(all)
    expect(by('Done', 'is', 'Done').size).toBe(all)
    expect(by('Time', 'isOnOrAfter', 'Time')).toEqual(by('Time', 'is', 'Time'))
    expect(by('Notes', 'contains', 'Notes')).toEqual(by('Notes', 'is', 'Notes'))
    expect(by('Some', 'isExactly', 'Some')).toEqual(by('Some', 'hasAnyOf', 'Some'))
    expect(by('Some', 'hasAllOf', 'One')).toEqual(by('Some', 'hasAnyOf', 'One'))
    expect(by('Some', 'hasAllOf', 'One').size).toBeGreaterThan(0)
    expect(by('User', 'isAnyOf', 'Users').size).toBeGreaterThan(0)
    expect(by('Links', 'hasAnyOf', 'Link').size).toBeGreaterThan(0)
  })

  test('[QUERY-15] compares dates by their days', () => {
    const { schema } = world
    const [time, date] = ['Time', 'Date'].map((name) => schema.byKey.name.get(name)?.column?.index)
    const [first] = world.records
    // Time is shown by the clocks of Berlin, where the second of these is on the next day.
    const record = (...moments: string[]) => {
      const cells = [...(first?.cells ?? [])]
      ;[time, date].forEach((index, place) => {
        cells[index ?? -1] = moments[place] ?? null
      })
      return { ...first, cells } as (typeof world.records)[number]
    }
    const asks = (operator: FilterItem['operator'], ...moments: string[]) => {
      const item = { fieldId: 'Time', operator, value: toField('Date') }
      const condition = toCondition({ conjunction: 'and', filterSet: [item] }, context())
      return meetsCondition(condition, record(...moments), nobody)
    }
    const [noon, evening] = ['2026-03-01T12:00:00.000Z', '2026-03-01T23:30:00.000Z']
    expect(asks('is', noon, noon.replace('12', '15'))).toBe(true)
    expect(asks('is', noon, evening)).toBe(false)
    expect(asks('isBefore', noon, evening)).toBe(true)
    expect(asks('isBefore', noon, noon.replace('12', '15'))).toBe(false)
    expect(asks('isOnOrAfter', evening, noon)).toBe(true)
  })

  test('[QUERY-15] refuses fields that there are not, and those that do not fit', () => {
    for (const [field, operator, other] of [
      ['Number', 'is', 'Nothing'],
      ['Number', 'is', 'Name'],
      ['Number', 'is', 'Links Amount'],
      ['Name', 'contains', 'Links Title'],
      ['One', 'is', 'Some'],
      ['Date', 'isWithIn', 'Time'],
      ['Link', 'contains', 'Link'],
      ['Button', 'is', 'Button'],
    ] as const) {
      expect(() => count(field, operator, toField(other)), `${field} ${other}`).toThrow(
        expect.objectContaining(wrongAt('filterSet', 0, 'value', 'fieldId')),
      )
    }
    expect(() => count('Number', 'is', { ...toField('Stars'), mode: 'today' })).toThrow(
      'filter.filterSet.0.value',
    )
  })

  test('[QUERY-10] takes signs for what fits the field', () => {
    const sign = (fieldId: string, operator: string, value: unknown) =>
      found({ fieldId, operator: operator as never, value, isSymbol: true }).length
    expect(sign('Number', '>=', 1)).toBe(count('Number', 'isGreaterEqual', 1))
    const day = { mode: 'exactDate', exactDate: '2026-03-01' }
    expect(sign('Date', '>=', day)).toBe(count('Date', 'isOnOrAfter', day))
    expect(sign('Some', '=', ['Low'])).toBe(count('Some', 'isExactly', ['Low']))
    expect(sign('One', 'IN', ['Low'])).toBe(count('One', 'isAnyOf', ['Low']))
    expect(() => sign('Done', '>', 1)).toThrow('operator')
  })
})
