import type { FormulaCell } from '@gateleg/testing/factories/formula-world'
import { evaluateIn, refusalOf } from '@gateleg/testing/factories/formula-world'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { modelFormula } from '../../arbitraries/model-formula.ts'
import { formulaCell, formulaType, type ModelRow, printed, withFields } from './model-formula.ts'
import type { ModelItems } from './model-value.ts'

/** Fields of every type, single and in lists, some of them empty. */
const cells = {
  text: { type: 'string', value: 'b' },
  number: { type: 'number', value: 2.5, format: (value) => `${value} kg` },
  box: { type: 'boolean', value: true },
  noText: { type: 'string', value: null },
  noNumber: { type: 'number', value: null },
  texts: { type: 'string', value: ['a', null, 'a', '12'] },
  numbers: { type: 'number', value: [1, 2, null, 1], format: (value) => `${value} kg` },
  boxes: { type: 'boolean', value: [true, false] },
  oneText: { type: 'string', value: ['b'] },
  noNumbers: { type: 'number', value: null, isMultiple: true },
} as const satisfies Record<string, FormulaCell>

const names = Object.keys(cells) as (keyof typeof cells)[]
const cellOf = (name: keyof typeof cells): FormulaCell => cells[name]

const row: ModelRow<keyof typeof cells> = {
  type: (name) => {
    const { type: scalar, isMultiple, value } = cellOf(name)
    return { scalar: scalar as 'string', isList: isMultiple ?? Array.isArray(value) }
  },
  value: (name) => (cellOf(name).value ?? null) as ModelItems,
}

test('[FORMULA-20] [FORMULA-21] always gives what the formulas of the model give', () => {
  fc.assert(
    fc.property(modelFormula, (shape) => {
      const formula = withFields(shape, (place) => names[place % names.length] ?? 'text')
      const text = printed(formula, String)
      const isTyped = formulaType(formula, row.type) !== undefined
      expect(refusalOf(text, { cells }) === undefined, text).toBe(isTyped)
      if (isTyped) expect(evaluateIn(text, { cells }), text).toEqual(formulaCell(formula, row))
    }),
    { numRuns: 5_000 },
  )
})
