import type { FormulaField } from '@gateleg/domain/formulas/checking/checked'
import { compileFormula } from '@gateleg/domain/formulas/compile-formula'
import { FormulaError } from '@gateleg/domain/formulas/formula-error'
import type { FormulaType, FormulaValue } from '@gateleg/domain/formulas/formula-type'
import type { FormulaRow } from '@gateleg/domain/formulas/runtime/evaluation'

/** A field and its cell in the one record of a table. */
export interface FormulaCell extends Omit<FormulaField, 'type'> {
  readonly type: FormulaType['scalar']
  readonly value: FormulaValue | undefined
  /** Whether the field is a list, also when its cell is empty. */
  readonly isMultiple?: boolean
}

export interface FormulaWorld extends Partial<Omit<FormulaRow, 'cell'>> {
  /** The cells by the names that formulas call them. */
  readonly cells?: Readonly<Record<string, FormulaCell>>
  readonly timeZone?: string
}

function fieldOf({ type, value, isMultiple = Array.isArray(value), format }: FormulaCell) {
  return { type: { scalar: type, isMultiple }, ...(format ? { format } : {}) }
}

export function compileIn(formula: string, { cells = {}, timeZone = 'UTC' }: FormulaWorld = {}) {
  const find = (name: string) => {
    const cell = cells[name]
    return cell && fieldOf(cell)
  }
  return compileFormula(formula, { fields: { find }, timeZone })
}

/** The row of the world; what it doesn't tell has some fixed value. */
export function rowOf({ cells = {}, timeZone: _, ...facts }: FormulaWorld = {}): FormulaRow {
  return {
    now: '2024-03-05T10:20:30.000Z',
    recordId: 'recAAAAAAAAAAAAAAAA',
    autoNumber: 7,
    createdTime: '2024-01-01T00:00:00.000Z',
    lastModifiedTime: null,
    ...facts,
    cell: (name) => cells[name]?.value ?? null,
  }
}

/** The value of a formula for the record of a world. */
export function evaluateIn(formula: string, world: FormulaWorld = {}): FormulaValue {
  return compileIn(formula, world).evaluate(rowOf(world))
}

/** Why and where a formula is refused, undefined when it isn't. */
export function refusalOf(
  formula: string,
  world: FormulaWorld = {},
): { readonly reason: string; readonly position: number } | undefined {
  try {
    compileIn(formula, world)
    return undefined
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error
    return { reason: error.reason, position: error.position }
  }
}
