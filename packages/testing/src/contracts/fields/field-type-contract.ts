import { type Cell, type CellRules, Refusal } from '@gateleg/domain/fields/cell'
import type { FieldType } from '@gateleg/domain/fields/field-type'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordTitlesById } from '../../arbitraries/dependent-field-options.ts'
import { type FieldArbitrary, userNamesById } from '../../arbitraries/field-options.ts'
import { trickyText } from '../../arbitraries/text.ts'
import { CountingIds } from '../../doubles/counting-ids.ts'
import { rulesWith } from '../../factories/cell-rules.ts'
import { knownPeople } from '../../factories/known-people.ts'
import { knownRecords } from '../../factories/known-records.ts'
import { assertIsIdempotent } from '../../properties/assert-is-idempotent.ts'
import { assertOrderIsTotal } from '../../properties/assert-order-is-total.ts'
import { assertRoundTrips } from '../../properties/assert-round-trips.ts'

const people = knownPeople(userNamesById)
const context = { people, targets: knownRecords(recordTitlesById) }

/** Declares the tests that every field type passes. */
export function fieldTypeContract(type: FieldType, { options, json }: FieldArbitrary): void {
  const toOptions = (input: unknown): unknown => completed(type, type.options.parse(input))
  const fields = options.map(toOptions)
  const toJson = (rules: CellRules) => (cell: Cell | null) =>
    cell === null || !rules.toJson ? cell : rules.toJson(cell, people)

  /** Rules, and some JSON values that a caller may send as cells. */
  const fieldWith = (count: number) =>
    fields.chain((field) =>
      fc.tuple(fc.constant(field), fc.array(json(field), { minLength: count, maxLength: count })),
    )
  /** Rules, and any JSON value: one that is a cell, one that nearly is, one that has nothing of it. */
  const fieldWithAnything = fields.chain((field) =>
    fc.tuple(fc.constant(field), anyJson(json(field))),
  )

  describe(`${type.name}, as every field type`, () => {
    it('[FIELD-40] always gives a cell, null or a refusal when it reads strictly', () => {
      fc.assert(
        fc.property(fieldWithAnything, ([field, value]) => {
          const rules = rulesWith(type, field)
          const cell = rules.parse(value)
          if (cell instanceof Refusal) expect(cell.message).not.toBe('')
          else assertRoundTrips(cell, toJson(rules), rules.parse)
        }),
      )
    })

    it('[FIELD-41] always takes what a caller may send, and reads its answer as the same cell', () => {
      fc.assert(
        fc.property(fieldWith(1), ([field, [value]]) => {
          const rules = rulesWith(type, field)
          const cell = rules.parse(value)
          expect(cell).not.toBeInstanceOf(Refusal)
          assertRoundTrips(cell as Cell | null, toJson(rules), rules.parse)
        }),
      )
    })

    it('[FIELD-42] always gives null or a cell when it reads leniently', () => {
      fc.assert(
        fc.property(fieldWithAnything, ([field, value]) => {
          const cell = rulesWith(type, field).cast(value, context)
          const rules = rulesWith(type, cell === null ? field : withChoices(type, field, cell))
          assertRoundTrips(cell, toJson(rules), rules.parse)
        }),
      )
    })

    it('[FIELD-43] always reads a cell leniently as it reads it strictly', () => {
      fc.assert(
        fc.property(fieldWith(1), ([field, [value]]) => {
          const rules = rulesWith(type, field)
          const cell = rules.parse(value) as Cell | null
          assertRoundTrips(cell, toJson(rules), (answer) => rules.cast(answer, context))
        }),
      )
    })

    it('[FIELD-44] always has a text form of a cell', () => {
      fc.assert(
        fc.property(fieldWithAnything, ([field, value]) => {
          const rules = rulesWith(type, field)
          const cell = rules.parse(value)
          if (cell === null || cell instanceof Refusal) return
          expect(typeof rules.format(cell, people)).toBe('string')
        }),
      )
    })

    it('[FIELD-45] always orders cells totally', () => {
      fc.assert(
        fc.property(fieldWith(3), ([field, values]) => {
          const rules = rulesWith(type, field)
          const cells = values.map((value) => rules.parse(value) as Cell | null)
          const [a = null, b = null, c = null] = cells
          if (a === null || b === null || c === null) return
          assertOrderIsTotal((x, y) => rules.compare(x, y, people), [a, b, c])
        }),
      )
    })

    it('[FIELD-46] never changes options that are complete', () => {
      fc.assert(
        fc.property(options, (input) => {
          assertIsIdempotent((value) => type.options.parse(value), input as unknown)
          assertIsIdempotent(toOptions, input as unknown)
        }),
      )
    })

    it('[FIELD-47] always refuses an option that it does not have', () => {
      fc.assert(
        fc.property(options, (input) => {
          expect(type.options.safeParse({ ...input, surprise: 1 }).success).toBe(false)
        }),
      )
    })

    it('[FIELD-48] always makes a default that is a cell', () => {
      fc.assert(
        fc.property(fields, (field) => {
          const rules = rulesWith(type, field)
          const maker = { now: '2026-01-01T00:00:00.000Z', userId: 'usrAda' }
          const cell = rules.defaultCell?.(maker) ?? null
          assertRoundTrips(cell, toJson(rules), rules.parse)
        }),
      )
    })

    it('[FIELD-49] always reads null as the empty cell', () => {
      fc.assert(
        fc.property(fields, (field) => {
          const rules = rulesWith(type, field)
          expect(rules.parse(null)).toBeNull()
          expect(rules.cast(null, context)).toBeNull()
        }),
      )
    })
  })
}

function anyJson(cell: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const scalar = fc.oneof(cell, trickyText(), fc.string({ unit: 'binary' }), fc.double())
  return fc.oneof(
    fc.jsonValue(),
    scalar,
    fc.array(scalar),
    fc.dictionary(fc.constantFrom('id', 'title', 'name', 'count', '__proto__'), scalar),
  )
}

function completed(type: FieldType, options: unknown): unknown {
  const complete = type.complete?.(options, new CountingIds()) ?? options
  expect(complete).not.toBeInstanceOf(Refusal)
  return complete
}

function withChoices(type: FieldType, options: unknown, cell: Cell): unknown {
  if (!type.choices) return options
  return type.choices.add(options, type.choices.missing(options, cell), new CountingIds())
}
