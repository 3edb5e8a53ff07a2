import { limits } from '../limits.ts'
import { WeightedCache } from '../structures/weighted-cache.ts'
import { checkTypes, type FormulaFields } from './checking/check-types.ts'
import {
  type CompiledFormula,
  compileFormula,
  type FormulaDependencies,
  type FormulaScope,
  formulaDependencies,
} from './compile-formula.ts'
import { type FormulaType, toFormulaType } from './formula-type.ts'
import { parseFormula } from './syntax/parse-formula.ts'

/** Bytes that a compiled formula takes per character: up to some 190 were measured. */
const bytesPerCharacter = 200

/** A compiled formula as long as it is kept: many computations may hold one of these. */
interface Kept {
  formula: CompiledFormula | undefined
}

const compiled = new WeightedCache<string, Kept>(limits.compiledFormulaBytes, (kept) => {
  kept.formula = undefined
})

const dependencies = new WeightedCache<string, FormulaDependencies>(limits.formulaReferenceBytes)

/** What a formula depends on, remembered by its text. Throws a FormulaError for a text that can't be read. */
export function dependenciesOf(formula: string): FormulaDependencies {
  const known = dependencies.get(formula)
  if (known) return known
  const found = formulaDependencies(formula)
  dependencies.keep(formula, found, 500 + formula.length + 100 * found.fieldIds.length)
  return found
}

/** A formula that is compiled when it is asked for. */
interface LazyFormula {
  /** What the compiled formula takes in memory, roughly. */
  readonly bytes: number
  /** Compiles it again when memory was needed for others meanwhile: hold what this gives as long as it is used. */
  get(): CompiledFormula
}

/**
 * The compiled formula: one for all tables, and all their changes, where text, time zone and what the
 * fields look like to it are the same. `get` throws a FormulaError for a text that is no right formula.
 */
export function lazyFormula(formula: string, scope: FormulaScope): LazyFormula {
  let kept: Kept | undefined
  return {
    bytes: bytesOf(formula),
    get: () => {
      if (!kept?.formula) kept = hold(formula, scope)
      return kept.formula ?? compileFormula(formula, scope)
    },
  }
}

function bytesOf(formula: string): number {
  return 1_000 + bytesPerCharacter * formula.length
}

/** The type of a formula, which is not compiled for it. Throws a FormulaError for a text that is no right formula. */
export function typeOfFormula(formula: string, { fields }: FormulaScope): FormulaType {
  return toFormulaType(checkTypes(parseFormula(formula), fields).type)
}

function hold(formula: string, scope: FormulaScope): Kept {
  const key = keyOf(formula, scope)
  if (key === undefined) return { formula: compileFormula(formula, scope) }
  const known = compiled.get(key)
  if (known?.formula) return known
  const kept: Kept = { formula: compileFormula(formula, scope) }
  compiled.keep(key, kept, bytesOf(formula) + key.length)
  return kept
}

/** Says all that a compiled formula depends on; undefined where a field doesn't say what it looks like. */
function keyOf(formula: string, { fields, timeZone }: FormulaScope): string | undefined {
  const looks: string[] = []
  for (const id of dependenciesOf(formula).fieldIds) {
    const look = lookOf(fields, id)
    if (look === undefined) return undefined
    looks.push(look)
  }
  return JSON.stringify([formula, timeZone, looks])
}

function lookOf(fields: FormulaFields, id: string): string | undefined {
  const field = fields.find(id)
  if (!field) return ''
  if (!field.format) return `${field.type.scalar} ${field.type.isMultiple}`
  return field.look && `${field.look} ${field.type.isMultiple}`
}
