import { limits } from '@gateleg/domain/limits'
import { type ModelFunctionName, modelFunction } from './model-functions.ts'
import { type ModelOperator, operate, operationType } from './model-operators.ts'
import {
  type ModelItems,
  type ModelPart,
  type ModelScalar,
  type ModelType,
  NoValue,
  numberOf,
  oneOf,
  toResult,
} from './model-value.ts'

/** A formula over fields, which are named by whatever `F` is. */
export type ModelFormula<F> =
  | { readonly kind: 'value'; readonly value: ModelScalar }
  | { readonly kind: 'field'; readonly field: F }
  | { readonly kind: 'minus'; readonly operand: ModelFormula<F> }
  | {
      readonly kind: 'operation'
      readonly operator: ModelOperator
      readonly left: ModelFormula<F>
      readonly right: ModelFormula<F>
    }
  | {
      readonly kind: 'call'
      readonly name: ModelFunctionName
      readonly args: readonly ModelFormula<F>[]
    }

/** What a formula knows of its record. */
export interface ModelRow<F> {
  type(field: F): ModelType
  value(field: F): ModelItems
}

function partsOf<F>(formula: ModelFormula<F>): readonly ModelFormula<F>[] {
  if (formula.kind === 'minus') return [formula.operand]
  if (formula.kind === 'operation') return [formula.left, formula.right]
  return formula.kind === 'call' ? formula.args : []
}

/** The fields that the formula names. */
export function fieldsOf<F>(formula: ModelFormula<F>): readonly F[] {
  return formula.kind === 'field' ? [formula.field] : partsOf(formula).flatMap(fieldsOf)
}

/** The same formula over fields that are named differently. */
export function withFields<F, G>(formula: ModelFormula<F>, to: (field: F) => G): ModelFormula<G> {
  const change = (part: ModelFormula<F>) => withFields(part, to)
  switch (formula.kind) {
    case 'value':
      return formula
    case 'field':
      return { kind: 'field', field: to(formula.field) }
    case 'minus':
      return { kind: 'minus', operand: change(formula.operand) }
    case 'operation':
      return { ...formula, left: change(formula.left), right: change(formula.right) }
    case 'call':
      return { ...formula, args: formula.args.map(change) }
  }
}

/** The formula as the product reads it. */
export function printed<F>(formula: ModelFormula<F>, idOf: (field: F) => string): string {
  const print = (part: ModelFormula<F>): string => printed(part, idOf)
  switch (formula.kind) {
    case 'value':
      return typeof formula.value === 'string'
        ? JSON.stringify(formula.value)
        : String(formula.value).toUpperCase()
    case 'field':
      return `{${idOf(formula.field)}}`
    case 'minus':
      return `-(${print(formula.operand)})`
    case 'operation':
      return `(${print(formula.left)} ${formula.operator} ${print(formula.right)})`
    case 'call':
      return `${formula.name}(${formula.args.map(print).join(', ')})`
  }
}

/** The type of a formula, undefined when its parts don't fit together. */
export function formulaType<F>(
  formula: ModelFormula<F>,
  typeOf: (field: F) => ModelType,
): ModelType | undefined {
  if (formula.kind === 'value') return { scalar: scalarOf(formula.value), isList: false }
  if (formula.kind === 'field') return typeOf(formula.field)
  const types = partsOf(formula).map((part) => formulaType(part, typeOf))
  const known = types.filter((type) => type !== undefined)
  if (known.length < types.length) return undefined
  if (formula.kind === 'minus') return { scalar: 'number', isList: false }
  if (formula.kind === 'call') return modelFunction(formula.name).type(known)
  const [left, right] = known
  return left && right && operationType(formula.operator, left, right)
}

function scalarOf(value: ModelScalar): ModelType['scalar'] {
  return typeof value as 'string' | 'number' | 'boolean'
}

/** The value of a well-typed formula as a cell holds it: an empty text or list is nothing. */
export function formulaCell<F>(formula: ModelFormula<F>, row: ModelRow<F>): ModelItems {
  return toFormulaCell(toPart(formula, row))
}

/** The value of a part as a cell holds it; what has no value, or is too great for a cell, is empty. */
export function toFormulaCell(part: ModelPart): ModelItems {
  try {
    const value = part.value()
    if (value === '' || (Array.isArray(value) && value.length === 0)) return null
    const isText = typeof value === 'string'
    const bytes = new TextEncoder().encode(isText ? value : JSON.stringify(value))
    return bytes.length > limits.cellBytes ? null : value
  } catch (error) {
    if (error instanceof NoValue) return null
    throw error
  }
}

function toPart<F>(formula: ModelFormula<F>, row: ModelRow<F>): ModelPart {
  const type = formulaType(formula, row.type)
  if (!type) throw new Error('the formula has a type')
  const parts = partsOf(formula).map((part) => toPart(part, row))
  const [first, second] = parts
  return {
    type,
    value: () => {
      if (formula.kind === 'value') return formula.value
      if (formula.kind === 'field') return row.value(formula.field)
      if (formula.kind === 'call') return modelFunction(formula.name).run(parts)
      if (!first) throw new Error('an operator has an operand')
      if (!second) return negated(oneOf(first.value()))
      if (formula.kind === 'minus') throw new Error('a minus has one operand')
      return operate(formula.operator, first, second)
    },
  }
}

function negated(item: ModelScalar | null): number | null {
  return item === null ? 0 : toResult(-numberOf(item))
}
