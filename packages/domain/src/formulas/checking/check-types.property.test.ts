import { anyExpression, typedExpression } from '@gateleg/testing/arbitraries/formula'
import {
  formulaFields,
  formulaRow,
  formulaTimeZone,
} from '@gateleg/testing/arbitraries/formula-row'
import { functionSignatures } from '@gateleg/testing/arbitraries/formula-signatures'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { compileFormula } from '../compile-formula.ts'
import { FormulaError } from '../formula-error.ts'
import {
  type FormulaScalar,
  type FormulaType,
  type FormulaValue,
  toFormulaType,
} from '../formula-type.ts'
import { formulaFunctions } from '../functions/formula-functions.ts'
import type { Expression } from '../syntax/expression.ts'
import { printFormula } from '../syntax/print-formula.ts'
import { checkTypes } from './check-types.ts'

const fields = { find: (id: string) => formulaFields.get(id) }

const isItem: Record<FormulaType['scalar'], (item: FormulaScalar) => boolean> = {
  string: (item) => typeof item === 'string' && item.isWellFormed(),
  number: (item) => Number.isFinite(item) && !Object.is(item, -0),
  boolean: (item) => typeof item === 'boolean',
  dateTime: (item) => typeof item === 'string' && new Date(item).toISOString() === item,
}

function isOfType(value: FormulaValue, { scalar, isMultiple }: FormulaType): boolean {
  if (value === null) return true
  if (typeof value !== 'object') return !isMultiple && value !== '' && isItem[scalar](value)
  return (
    isMultiple && value.length > 0 && value.every((item) => item === null || isItem[scalar](item))
  )
}

function printShort(expression: Expression): string {
  const formula = printFormula(expression)
  fc.pre(formula.length <= limits.formulaLength)
  return formula
}

describe('the type checker and the evaluator', () => {
  it('[FORMULA-20] always agree on expressions that fit together', () => {
    const inputs = [typedExpression, formulaRow, formulaTimeZone] as const
    const agree = fc.property(...inputs, ({ expression, type }, row, timeZone) => {
      expect(checkTypes(expression, fields).type).toEqual(type)
      const compiled = compileFormula(printShort(expression), { fields, timeZone })
      expect(compiled.type).toEqual(toFormulaType(type))
      expect(compiled.evaluate(row)).toSatisfy((value) => isOfType(value, compiled.type))
    })
    fc.assert(agree, { numRuns: 10_000 })
  })

  it('[FORMULA-21] never end in anything but a refusal with a place, or a value of the type', () => {
    const inputs = [anyExpression, formulaRow, formulaTimeZone] as const
    const end = fc.property(...inputs, (expression, row, timeZone) => {
      const formula = printShort(expression)
      try {
        const compiled = compileFormula(formula, { fields, timeZone })
        expect(compiled.evaluate(row)).toSatisfy((value) => isOfType(value, compiled.type))
      } catch (error) {
        if (!(error instanceof FormulaError)) throw error
        expect(error.position).toBeLessThanOrEqual(formula.length)
        expect(error.reason).not.toBe('')
      }
    })
    fc.assert(end, { numRuns: 10_000 })
  })

  it('[FORMULA-41] always give the same value for the same row', () => {
    const inputs = [typedExpression, formulaRow, formulaRow, formulaTimeZone] as const
    const repeat = fc.property(...inputs, ({ expression }, row, otherRow, timeZone) => {
      const formula = printShort(expression)
      const compiled = compileFormula(formula, { fields, timeZone })
      const value = compiled.evaluate(row)
      compiled.evaluate(otherRow)
      expect(compiled.evaluate(row)).toEqual(value)
      expect(compileFormula(formula, { fields, timeZone }).evaluate(row)).toEqual(value)
    })
    fc.assert(repeat, { numRuns: 1_000 })
  })

  it('[FORMULA-28] know each function of the table of signatures, and no other', () => {
    const names = new Set(functionSignatures.map(({ name }) => name))
    expect(new Set(formulaFunctions.keys())).toEqual(names)
    expect(names.size).toBe(81)
  })
})
