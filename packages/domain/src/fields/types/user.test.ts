import { cellRules } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { type Cell, Refusal } from '../cell.ts'
import { user } from './user.ts'

const people = knownPeople({ usr1: 'Ada', usr2: 'Bob', usr3: 'Lovelace, Ada', usr4: 'Bob' })
const context = { now: '2026-01-01T00:00:00.000Z', userId: 'usr1' }
const accepts = (options: unknown): boolean => user.options.safeParse(options).success

describe('a user', () => {
  const rules = cellRules(user)

  it('[FIELD-105] is sent as an id or as an object with one', () => {
    expect(rules.parse('usr1')).toBe('usr1')
    expect(rules.parse({ id: 'usr1', title: 'whoever', email: 'a@b.c' })).toBe('usr1')
    for (const value of ['', 'x'.repeat(65), {}, { id: 1 }, ['usr1'], 1, { title: 'Ada' }]) {
      expect(rules.parse(value)).toBeInstanceOf(Refusal)
    }
  })

  it('[FIELD-105] is answered as id and title', () => {
    expect(rules.toJson?.('usr1', people)).toEqual({ id: 'usr1', title: 'Ada' })
    expect(rules.toJson?.('usr9', people)).toEqual({ id: 'usr9', title: 'Unknown' })
    expect(rules.format('usr9', people)).toBe('Unknown')
  })

  it('[FIELD-107] is found by id or name', () => {
    const cast = (value: unknown) => rules.cast(value, { people })
    expect(cast('usr2')).toBe('usr2')
    expect(cast(' Ada ')).toBe('usr1')
    expect(cast('Lovelace, Ada')).toBe('usr3')
    expect(cast({ id: 'usr2', title: 'Ada' })).toBe('usr2')
    expect(cast({ id: 'usr9', title: 'Ada' })).toBe('usr1')
    expect(cast(['nobody', 'usr2', 'usr1'])).toBe('usr2')
    expect(cast('nobody')).toBeNull()
  })

  it('[FIELD-108] has a default', () => {
    const makeDefault = (defaultValue: string) =>
      cellRules(user, { defaultValue }).defaultCell?.(context)
    expect(makeDefault('me')).toBe('usr1')
    expect(makeDefault('usr2')).toBe('usr2')
    expect(rules.defaultCell).toBeUndefined()
  })

  it('[FIELD-108] has no several defaults', () => {
    expect(accepts({ defaultValue: ['usr1'] })).toBe(false)
    expect(accepts({ isMultiple: true, defaultValue: ['usr1', 'me'] })).toBe(true)
    expect(accepts({ isMultiple: true, defaultValue: ['usr1', 'usr1'] })).toBe(false)
    expect(accepts({ defaultValue: '' })).toBe(false)
  })

  it('[FIELD-109] sorts by title, then by id', () => {
    const sorted = ['usr4', 'usr9', 'usr3', 'usr2', 'usr1'].toSorted((a, b) =>
      rules.compare(a, b, people),
    )
    expect(sorted).toEqual(['usr1', 'usr2', 'usr4', 'usr3', 'usr9'])
  })

  it('[FIELD-111] names one user', () => {
    expect(rules.userIds?.('usr1')).toEqual(['usr1'])
  })
})

describe('several users', () => {
  const rules = cellRules(user, { isMultiple: true })

  it('[FIELD-106] are held once each in the order sent', () => {
    expect(rules.parse(['usr2', { id: 'usr1' }])).toEqual(['usr2', 'usr1'])
    expect(rules.parse([])).toBeNull()
    const tooMany = Array.from({ length: 1_001 }, (_, index) => `usr${index}`)
    for (const value of ['usr1', ['usr1', { id: 'usr1' }], [null], tooMany]) {
      expect(rules.parse(value)).toBeInstanceOf(Refusal)
    }
  })

  it('[FIELD-105] are answered as ids and titles', () => {
    expect(rules.toJson?.(['usr2', 'usr9'], people)).toEqual([
      { id: 'usr2', title: 'Bob' },
      { id: 'usr9', title: 'Unknown' },
    ])
  })

  it('[FIELD-107] are found in lists and texts', () => {
    const cast = (value: unknown) => rules.cast(value, { people })
    expect(cast('Ada, nobody, usr2,Ada')).toEqual(['usr1', 'usr2'])
    expect(cast('"Lovelace, Ada", Ada')).toEqual(['usr3', 'usr1'])
    expect(cast([{ id: 'usr1' }, 'Bob'])).toEqual(['usr1', 'usr4'])
    expect(cast('usr1')).toEqual(['usr1'])
    expect(cast(['nobody'])).toBeNull()
  })

  it('[FIELD-107] are as many as there can be collaborators', () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `usr${index}`)
    const many = knownPeople(Object.fromEntries(ids.map((id) => [id, id])))
    expect(rules.cast(ids, { people: many })).toEqual(ids.slice(0, 1_000))
  })

  it('[FIELD-108] have defaults, each user once', () => {
    const makeDefault = (defaultValue: unknown) =>
      cellRules(user, { isMultiple: true, defaultValue }).defaultCell?.(context)
    expect(makeDefault(['me', 'usr2', 'usr1'])).toEqual(['usr1', 'usr2'])
    expect(makeDefault('me')).toEqual(['usr1'])
    expect(makeDefault([])).toBeUndefined()
  })

  it('[FIELD-109] sort by the first, the next, then the number of them', () => {
    const cells = [['usr2', 'usr1'], ['usr1', 'usr2'], ['usr1']]
    const sorted = cells.toSorted((a: Cell, b: Cell) => rules.compare(a, b, people))
    expect(sorted).toEqual([['usr1'], ['usr1', 'usr2'], ['usr2', 'usr1']])
  })

  it('[FIELD-110] are shown by title', () => {
    expect(rules.format(['usr3', 'usr2'], people)).toBe('"Lovelace, Ada", Bob')
  })

  it('[FIELD-111] are all named', () => {
    expect(rules.userIds?.(['usr2', 'usr1'])).toEqual(['usr2', 'usr1'])
  })
})
