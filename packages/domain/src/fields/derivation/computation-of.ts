import { FormulaError } from '../../formulas/formula-error.ts'
import {
  brokenComputation,
  type Computation,
  type ComputationScope,
} from '../computed/computation.ts'
import type { Field } from '../field.ts'
import { typeOf } from '../field-values.ts'
import { lookupComputation } from './lookup-computation.ts'

/** How the field's cells follow from others; undefined when they don't. */
export function computationOf(field: Field, scope: ComputationScope): Computation | undefined {
  const { computation } = typeOf(field)
  if (!field.isLookup && !computation) return undefined
  if (field.hasError) return brokenComputation
  if (field.isLookup) return lookupComputation(field)
  try {
    return computation?.(field, scope)
  } catch (error) {
    // A field that the formula names has just gone, or is another now; what follows is on its way.
    if (error instanceof FormulaError) return brokenComputation
    throw error
  }
}
