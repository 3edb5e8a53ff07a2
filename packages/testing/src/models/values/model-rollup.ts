import { toFormulaCell } from './model-formula.ts'
import { modelFunction } from './model-functions.ts'
import type { ModelItems, ModelPart, ModelType } from './model-value.ts'

/** The functions of rollups, as their expressions call them. */
export const rollupFunctions = {
  countall: 'COUNTALL',
  counta: 'COUNTA',
  count: 'COUNT',
  sum: 'SUM',
  average: 'AVERAGE',
  max: 'MAX',
  min: 'MIN',
  and: 'AND',
  or: 'OR',
  xor: 'XOR',
  array_join: 'ARRAY_JOIN',
  array_unique: 'ARRAY_UNIQUE',
  array_compact: 'ARRAY_COMPACT',
  concatenate: 'CONCATENATE',
} as const
export type RollupFunction = keyof typeof rollupFunctions

/** The type of a rollup over values of the type. */
export function rollupType(summary: RollupFunction, source: ModelType): ModelType {
  const type = modelFunction(rollupFunctions[summary]).type([{ ...source, isList: true }])
  if (!type) throw new Error('rollups take values of every type')
  return type
}

/** The cell of a rollup over the values of the linked records. */
export function rollupCell(summary: RollupFunction, values: ModelPart): ModelItems {
  const type = rollupType(summary, values.type)
  const list: ModelPart = { ...values, type: { ...values.type, isList: true } }
  const value = () => modelFunction(rollupFunctions[summary]).run([list])
  return toFormulaCell({ type, value })
}
