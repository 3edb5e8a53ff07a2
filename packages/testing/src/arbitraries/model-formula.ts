import fc from 'fast-check'
import type { FormulaShape } from '../models/values/formula-shape.ts'
import type { ModelFunctionName } from '../models/values/model-functions.ts'
import { modelOperators } from '../models/values/model-operators.ts'

const value: fc.Arbitrary<FormulaShape> = fc
  .constantFrom<string | number | boolean>('', 'a', 'b, c', '12', 0, 1, 2, 2.5, 0.1, true, false)
  .map((value) => ({ kind: 'value', value }))

const field: fc.Arbitrary<FormulaShape> = fc.nat(9).map((field) => ({ kind: 'field', field }))

const leaf = fc.oneof({ weight: 4, arbitrary: field }, { weight: 1, arbitrary: value })

const ofOne = ['NOT', 'IS_ERROR', 'LEN', 'UPPER', 'LOWER', 'ARRAY_JOIN', 'COUNTALL'] as const
const ofSome = [
  ...(['SUM', 'AVERAGE', 'MAX', 'MIN', 'AND', 'OR', 'XOR', 'CONCATENATE'] as const),
  ...(['ARRAY_UNIQUE', 'ARRAY_FLATTEN', 'ARRAY_COMPACT', 'COUNTA', 'COUNT'] as const),
] as const

function call(name: ModelFunctionName, args: readonly FormulaShape[]): FormulaShape {
  return { kind: 'call', name, args }
}

/** A formula that nests so deep at most. Not all of them are well typed. */
function formulaOf(depth: number): fc.Arbitrary<FormulaShape> {
  if (depth === 0) return leaf
  const part = formulaOf(depth - 1)
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: leaf },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('operation' as const),
        operator: fc.constantFrom(...modelOperators),
        left: part,
        right: part,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom(...ofOne), part).map(([name, arg]) => call(name, [arg])),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...ofSome), fc.array(part, { minLength: 1, maxLength: 3 }))
        .map(([name, args]) => call(name, args)),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(part, part, part).map((args) => call('IF', args)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(part, fc.integer({ min: 0, max: 2 }))
        .map(([arg, places]) => call('ROUND', [arg, { kind: 'value', value: places }])),
    },
    { weight: 1, arbitrary: part.map((operand) => ({ kind: 'minus' as const, operand })) },
    { weight: 1, arbitrary: fc.constant(call('BLANK', [])) },
  )
}

export const modelFormula = formulaOf(2)
