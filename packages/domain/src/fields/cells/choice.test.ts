import { CountingIds } from '@gateleg/testing/doubles/counting-ids'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { choiceCapability, completeChoices, type SelectOptions, selectOptions } from './choice.ts'

const schema = z.strictObject(selectOptions)
const named = (...names: string[]): SelectOptions => ({ choices: names.map((name) => ({ name })) })
const accepts = (...choices: object[]): boolean => schema.safeParse({ choices }).success
const { missing, add } = choiceCapability<SelectOptions, readonly string[]>((cell) => cell)

describe('choices of a select', () => {
  it('[FIELD-80] have trimmed names', () => {
    expect(schema.parse(named('  light '))).toEqual(named('light'))
    expect(accepts({ name: 'x'.repeat(100) })).toBe(true)
    for (const name of ['', '  ', 'x'.repeat(101), 'a\0']) expect(accepts({ name })).toBe(false)
  })

  it('[FIELD-80] have names that differ, if only in case', () => {
    expect(accepts({ name: 'a' }, { name: 'A' })).toBe(true)
    const { error } = schema.safeParse(named('a', 'b', 'a '))
    expect(error?.issues.map(({ path }) => path)).toEqual([['choices', 2, 'name']])
  })

  it('[FIELD-81] may have ids of the client', () => {
    expect(accepts({ id: 'a', name: 'x' }, { id: 'A1'.repeat(16), name: 'y' })).toBe(true)
    for (const id of ['', 'a-b', 'a'.repeat(33)]) expect(accepts({ id, name: 'x' })).toBe(false)
    expect(accepts({ id: 'a', name: 'x' }, { id: 'a', name: 'y' })).toBe(false)
  })

  it('[FIELD-82] get the ids and colours that they lack', () => {
    const options: SelectOptions = {
      choices: [{ name: 'a', color: 'red' }, { id: 'cho00000001', name: 'b' }, { name: 'c' }],
    }
    expect(completeChoices(options, new CountingIds()).choices).toEqual([
      { id: 'cho00000002', name: 'a', color: 'red' },
      { id: 'cho00000001', name: 'b', color: 'cyanLight2' },
      { id: 'cho00000003', name: 'c', color: 'grayLight2' },
    ])
  })

  it('[FIELD-83] are a thousand at most', () => {
    const names = Array.from({ length: 1_001 }, (_, index) => `choice ${index}`)
    expect(schema.safeParse(named(...names)).success).toBe(false)
    expect(schema.safeParse(named(...names.slice(1))).success).toBe(true)
  })

  it('[FIELD-84] are missing once each, in order', () => {
    expect(missing(named('b'), ['c', 'b', 'a', 'c'])).toEqual(['c', 'a'])
  })

  it('[FIELD-84] are added at the end', () => {
    const options = completeChoices(named('a'), new CountingIds())
    const { choices } = add(options, ['b', 'a', 'b', 'c'], new CountingIds())
    expect(choices).toEqual([
      ...options.choices,
      { id: 'cho00000002', name: 'b', color: 'cyanLight2' },
      { id: 'cho00000003', name: 'c', color: 'grayLight2' },
    ])
  })

  it('[FIELD-84] are added only where there is room and the field takes new ones', () => {
    const many = named(...Array.from({ length: 999 }, (_, index) => `choice ${index}`))
    const { choices } = add(many, ['a', 'b'], new CountingIds())
    expect(choices.length).toBe(1_000)
    expect(choices.at(-1)?.name).toBe('a')
    const closed = { ...named('a'), preventAutoNewOptions: true }
    expect(add(closed, ['b'], new CountingIds())).toBe(closed)
  })
})
