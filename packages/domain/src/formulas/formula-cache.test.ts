import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { FormulaField } from './checking/checked.ts'
import type { FormulaScope } from './compile-formula.ts'
import { dependenciesOf, lazyFormula } from './formula-cache.ts'

/** A number that is shown with so many decimals. */
function number(decimals: number): FormulaField {
  return {
    type: { scalar: 'number', isMultiple: false },
    format: (value) => (value as number).toFixed(decimals),
    look: `number ${decimals}`,
  }
}

/** A table in which every name is that field; tells how often it was asked for one. */
function scopeOf(field: FormulaField, timeZone = 'UTC') {
  const scope = {
    asked: 0,
    timeZone,
    fields: {
      find: () => {
        scope.asked++
        return field
      },
    },
  }
  return scope
}

const compiledFormula = (text: string, scope: FormulaScope) => lazyFormula(text, scope).get()

const row = { cell: () => 1.25 } as never

test('[FORMULA-110] compiles a formula when it is first evaluated, and once', () => {
  const scope = scopeOf(number(2))
  const formula = lazyFormula('{lazy} & ""', scope)
  expect(dependenciesOf('{lazy} & ""').fieldIds).toEqual(['lazy'])
  expect(scope.asked).toBe(0)
  expect(formula.get()).toBe(formula.get())
  expect(scope.asked).toBeGreaterThan(0)
})

test('[FORMULA-110] shares what equal formulas over equal fields are compiled to', () => {
  const text = '{a} & "/" & {b}'
  const first = compiledFormula(text, scopeOf(number(1)))
  expect(compiledFormula(text, scopeOf(number(1)))).toBe(first)
  expect(compiledFormula(text, scopeOf(number(1)))).toBe(first)
})

test('[FORMULA-110] does not share what differs in anything that a value depends on', () => {
  const text = 'HOUR({a}) & ""'
  const list = { ...number(1), type: { scalar: 'number', isMultiple: true } } as const
  const { look: _, ...secretive } = number(1)
  const compiled = [
    compiledFormula('{a} & ""', scopeOf(number(1))),
    compiledFormula('{a} & ""', scopeOf(number(2))),
    compiledFormula('{a} & ""', scopeOf(list)),
    compiledFormula('{a} & ""', scopeOf(secretive)),
    compiledFormula('{a} & ""', scopeOf(secretive)),
    compiledFormula('{a} & " "', scopeOf(number(1))),
    ...['UTC', 'Asia/Tokyo'].map((zone) => compiledFormula(text, scopeOf(moment, zone))),
  ]
  expect(new Set(compiled).size).toBe(compiled.length)
})

const moment: FormulaField = { type: { scalar: 'dateTime', isMultiple: false } }

test('[FORMULA-110] forgets the oldest where many are long, and compiles them again', () => {
  const first = lazyFormula('{a} + 1', scopeOf(number(1)))
  const compiledFirst = first.get()
  const length = 2_000
  const count = Math.ceil(limits.compiledFormulaBytes / (200 * length)) + 1
  for (let index = 0; index < count; index++) {
    const text = `"${index}" & "${'x'.repeat(length)}"`
    compiledFormula(text, scopeOf(number(1)))
  }
  expect(first.get()).not.toBe(compiledFirst)
  expect(first.get().evaluate(row)).toBe(2.25)
})

test('[FORMULA-110] remembers which fields a formula reads, as far as there is room', () => {
  const fieldsOf = (text: string) => dependenciesOf(text)
  const [seldom, often] = ['{seldom} + 1', '{often} + 1']
  const [first, second] = [fieldsOf(seldom), fieldsOf(often)]
  const length = 8_000
  const count = Math.ceil(limits.formulaReferenceBytes / length) + 1
  for (let index = 0; index < count; index++) {
    fieldsOf(`"${index}" & "${'x'.repeat(length)}"`)
    expect(fieldsOf(often)).toBe(second)
  }
  expect(fieldsOf(seldom)).not.toBe(first)
  expect(fieldsOf(seldom)).toEqual(first)
})
