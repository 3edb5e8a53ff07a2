import { choiceNames } from '@gateleg/testing/arbitraries/field-options'
import { CountingIds } from '@gateleg/testing/doubles/counting-ids'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeChoices, type SelectOptions } from '../../../cells/choice.ts'
import { choiceEdits, keepChoiceIds } from './choice-edits.ts'

/** Choices by id. */
function choices(namesById: Readonly<Record<string, string>>): SelectOptions {
  return {
    choices: Object.entries(namesById).map(([id, name]) => ({ id, name, color: 'red' as const })),
  }
}

function edits(stored: Readonly<Record<string, string>>, next: Readonly<Record<string, string>>) {
  return Object.fromEntries(choiceEdits(choices(stored), choices(next)))
}

describe('changes of choices', () => {
  it('[FIELD-116] rename a choice that has another name now', () => {
    expect(edits({ a: 'low', b: 'high' }, { b: 'top', a: 'low' })).toEqual({ high: 'top' })
  })

  it('[FIELD-116] may swap names', () => {
    const swapped = edits({ a: 'low', b: 'mid', c: 'high' }, { a: 'mid', b: 'high', c: 'low' })
    expect(swapped).toEqual({ low: 'mid', mid: 'high', high: 'low' })
  })

  it('[FIELD-117] take away a choice that is gone', () => {
    expect(edits({ a: 'low', b: 'high' }, { b: 'high' })).toEqual({ low: null })
    expect(edits({ a: 'low', b: 'high' }, {})).toEqual({ low: null, high: null })
  })

  it('[FIELD-117] leave the name of a choice that is gone when another one has it', () => {
    expect(edits({ a: 'low' }, { new: 'low' })).toEqual({})
    expect(edits({ a: 'low', b: 'high' }, { b: 'low' })).toEqual({ high: 'low' })
  })

  it('[FIELD-118] do nothing for choices that are new, moved or of another colour', () => {
    const next = choices({ n: 'new', b: 'high', a: 'low' })
    const recoloured = next.choices.map((choice) => ({ ...choice, color: 'teal' as const }))
    expect(choiceEdits(choices({ a: 'low', b: 'high' }), { choices: recoloured }).size).toBe(0)
  })

  it('[FIELD-118] always leave each name with a choice, or take it away', () => {
    const complete = (names: readonly string[], ids: readonly string[]): SelectOptions => ({
      choices: names.map((name, index) => ({ id: ids[index] ?? `new${index}`, name })),
    })
    const idsOf = fc.shuffledSubarray(Array.from({ length: 20 }, (_, index) => `cho${index}`))
    const options = fc.tuple(choiceNames, idsOf).map(([names, ids]) => complete(names, ids))
    fc.assert(
      fc.property(options, options, (stored, next) => {
        const changed = choiceEdits(stored, next)
        const nextNames = new Set(next.choices.map(({ name }) => name))
        for (const { id, name } of stored.choices) {
          const after = changed.has(name) ? changed.get(name) : name
          const named = next.choices.find((choice) => choice.id === id)?.name
          const kept = nextNames.has(name) ? name : null
          expect(after).toBe(named ?? kept)
        }
        expect([...changed].filter(([name, after]) => name === after)).toEqual([])
      }),
    )
  })
})

describe('choices that a caller sent', () => {
  const stored = choices({ a: 'low', b: 'high' })

  it('[FIELD-119] keep the id and colour that their name had', () => {
    const sent = { choices: [{ name: 'high' }, { name: 'new' }, { name: 'low', color: 'teal' }] }
    expect(keepChoiceIds(stored, { ...sent, preventAutoNewOptions: true } as never)).toEqual({
      choices: [
        { id: 'b', name: 'high', color: 'red' },
        { name: 'new' },
        { id: 'a', name: 'low', color: 'teal' },
      ],
      preventAutoNewOptions: true,
    })
  })

  it('[FIELD-119] keep no id that another one of them was sent with', () => {
    const sent: SelectOptions = { choices: [{ id: 'a', name: 'lower' }, { name: 'low' }] }
    expect(keepChoiceIds(stored, sent)).toEqual({
      choices: [{ id: 'a', name: 'lower', color: 'red' }, { name: 'low' }],
    })
    const renamed: SelectOptions = { choices: [{ id: 'c', name: 'low' }] }
    expect(keepChoiceIds(stored, renamed)).toEqual(renamed)
  })

  it('[FIELD-119] always stay as they are when all of them are sent by name', () => {
    fc.assert(
      fc.property(choiceNames, (names) => {
        const sent: SelectOptions = { choices: names.map((name) => ({ name })) }
        const complete = completeChoices(sent, new CountingIds())
        expect(keepChoiceIds(complete, sent)).toEqual(complete)
        expect(choiceEdits(complete, keepChoiceIds(complete, sent)).size).toBe(0)
      }),
    )
  })
})
