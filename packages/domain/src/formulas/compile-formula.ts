import { toTimestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import { timeZone } from '../values/dates/time-zone.ts'
import { bytesPerUnit, jsonTextBytes } from '../values/json/json-bytes.ts'
import { toStorable } from '../values/storable-text.ts'
import { checkTypes, type FormulaFields } from './checking/check-types.ts'
import { compilePart } from './compile-part.ts'
import {
  type FormulaScalar,
  type FormulaType,
  type FormulaValue,
  toFormulaType,
} from './formula-type.ts'
import type { RowFact } from './functions/formula-function.ts'
import { formulaFunctions } from './functions/formula-functions.ts'
import { type Evaluation, type FormulaRow, fault, spendReading } from './runtime/evaluation.ts'
import { stepsPerConversion } from './runtime/reading.ts'
import { textBytes } from './runtime/text-bytes.ts'
import type { Expression } from './syntax/expression.ts'
import { parseFormula } from './syntax/parse-formula.ts'

/** What a formula is compiled in. */
export interface FormulaScope {
  readonly fields: FormulaFields
  /** The IANA name of a time zone that exists; its clocks tell days and hours. UTC when not given. */
  readonly timeZone?: string | undefined
}

export interface CompiledFormula {
  readonly type: FormulaType
  /** The ids of the fields that the value depends on, each once, in the order of the text. */
  readonly referencedFieldIds: readonly string[]
  /** What else of a record, or of time, the value depends on. */
  readonly reads: ReadonlySet<RowFact>
  /**
   * The value for a record: of the formula's type, null when it has none. Never throws; depends on
   * nothing but the row and the bytes that the cell may take as JSON, as far as `limits.cellBytes` allows.
   * An empty text or list is null, as in any cell. Tells how many steps it took.
   */
  evaluate(row: FormulaRow, spend?: (steps: number) => void, room?: number): FormulaValue
}

/** Makes a formula ready to be evaluated. Throws a FormulaError for a text that is no right formula. */
export function compileFormula(formula: string, scope: FormulaScope): CompiledFormula {
  const expression = parseFormula(formula)
  const checked = checkTypes(expression, scope.fields)
  const zone = timeZone(scope.timeZone ?? 'UTC')
  const { run } = compilePart(checked)
  const type = toFormulaType(checked.type)
  const { fieldIds, facts, partSteps } = dependenciesOf(expression)
  return {
    type,
    referencedFieldIds: [...fieldIds],
    reads: facts,
    evaluate: (row, spend, room = Number.POSITIVE_INFINITY) => {
      const evaluation: Evaluation = { row, zone, stepsLeft: limits.formulaSteps }
      try {
        const value = run(evaluation)
        spendReading(evaluation, value, stepsPerResultItem(type))
        return toCell(value, type, room)
      } catch (error) {
        if (error === fault) return null
        throw error
      } finally {
        spend?.(partSteps + limits.formulaSteps - Math.max(evaluation.stepsLeft, 0))
      }
    },
  }
}

/** What the value of a formula depends on. */
export type FormulaDependencies = Pick<CompiledFormula, 'reads'> & {
  /** Each once, in the order of the text. */
  readonly fieldIds: readonly string[]
}

/** What a formula depends on. Throws a FormulaError for a text that can't be read as one. */
export function formulaDependencies(formula: string): FormulaDependencies {
  const { fieldIds, facts } = dependenciesOf(parseFormula(formula))
  return { fieldIds: [...fieldIds], reads: facts }
}

interface Dependencies {
  readonly fieldIds: Set<string>
  readonly facts: Set<RowFact>
  /** Of texts, numbers, fields, operators and calls: what working each out takes, whatever the values are. */
  partSteps: number
}

function dependenciesOf(
  expression: Expression,
  found: Dependencies = { fieldIds: new Set(), facts: new Set(), partSteps: 0 },
): Dependencies {
  found.partSteps += expression.kind === 'call' ? stepsPerCall : 1
  switch (expression.kind) {
    case 'reference':
      found.fieldIds.add(expression.fieldId)
      break
    case 'negation':
      dependenciesOf(expression.operand, found)
      break
    case 'chain':
      dependenciesOf(expression.first, found)
      for (const { operand } of expression.steps) dependenciesOf(operand, found)
      break
    case 'call': {
      const fact = formulaFunctions.get(expression.name)?.reads?.(expression.args)
      if (fact) found.facts.add(fact)
      for (const arg of expression.args) dependenciesOf(arg, found)
    }
  }
  return found
}

/** What a call of a function takes at least: dates and decimals are some microseconds of work. */
const stepsPerCall = 20

/** Steps that an item of a list takes to become one of a cell. */
function stepsPerResultItem({ scalar }: FormulaType): number {
  return scalar === 'dateTime' ? stepsPerConversion : 4
}

/** The value as a cell holds it that may take so many bytes as JSON; null for one that it can't hold. */
function toCell(
  value: FormulaValue,
  { scalar, isMultiple }: FormulaType,
  room: number,
): FormulaValue {
  if (value === null) return null
  const toItem = (item: FormulaScalar) => {
    if (scalar === 'dateTime') return toTimestamp(item as number)
    return typeof item === 'string' ? toStorable(item) : item
  }
  if (typeof value !== 'object') {
    if (value === '') return null
    const cell = toItem(value)
    return typeof cell === 'string' && !isWithin(cell, room) ? null : cell
  }
  if (!isMultiple || value.length === 0) return null
  const items = value.map((item) => (item === null ? null : toItem(item)))
  return listBytes(items) > Math.min(room, limits.cellBytes) ? null : items
}

/** Whether a cell can hold the text, and it takes so many bytes as JSON at most. */
function isWithin(text: string, room: number): boolean {
  if (text.length * bytesPerUnit + 2 <= Math.min(room, limits.cellBytes)) return true
  return textBytes(text) <= limits.cellBytes && jsonTextBytes(text) <= room
}

/** How long the list is as JSON, or a little longer. */
function listBytes(items: readonly (FormulaScalar | null)[]): number {
  let bytes = 2
  for (const item of items) {
    bytes += 1 + (typeof item === 'string' ? jsonTextBytes(item) : String(item).length)
  }
  return bytes
}
