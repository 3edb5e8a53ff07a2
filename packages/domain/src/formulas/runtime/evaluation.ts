import type { Timestamp } from '../../clock.ts'
import { limits } from '../../limits.ts'
import type { TimeZone } from '../../values/dates/time-zone.ts'
import type { FormulaScalar, FormulaValue, PartType } from '../formula-type.ts'

/** What a formula may ask about the record that it is computed for. */
export interface FormulaRow {
  /** The moment of the evaluation; the same for all records of one change. */
  readonly now: Timestamp
  readonly recordId: string
  readonly autoNumber: number
  readonly createdTime: Timestamp
  readonly lastModifiedTime: Timestamp | null
  /**
   * The value of a field as the formula sees it: of the type that the scope declared, people, links and
   * files as their titles, moments as Timestamps. A value of another type counts as empty.
   */
  cell(fieldId: string): FormulaValue
}

/** One evaluation of one formula for one record. */
export interface Evaluation {
  readonly row: FormulaRow
  readonly zone: TimeZone
  /** See limits.formulaSteps. */
  stepsLeft: number
}

/** Computes a part of a formula. Throws the fault, and nothing else. */
export type Run<T = FormulaValue> = (evaluation: Evaluation) => T

/** Turns the value of a part into what an operator or function works with. */
export type Read<T> = (value: FormulaValue, evaluation: Evaluation) => T

/** What is known about a part before any record is. */
export interface Part {
  readonly type: PartType
  /** The display form of a field's values, when the part is a field that has one. */
  readonly format?: (value: FormulaScalar) => string
  /** The value of a part that is written out in the formula. */
  readonly literal?: FormulaScalar
}

/** A part that is ready to be computed. */
export interface RunnablePart extends Part {
  readonly run: Run
}

class FormulaFault extends Error {}

/**
 * Thrown by a part that has no value for this record: the cell becomes empty, and IS_ERROR is true. One
 * object for all, because making an error costs more than most formulas.
 */
export const fault = new FormulaFault('The formula has no value here')

/** Counts steps of work; faults when there have been too many. */
export function spend(evaluation: Evaluation, steps: number): void {
  evaluation.stepsLeft -= steps
  if (evaluation.stepsLeft < 0) throw fault
}

/**
 * A value is about to be gone through: a step for each character and each item of a list, and so many
 * more for each item where that is harder work.
 */
export function spendReading(evaluation: Evaluation, value: FormulaValue, perItem = 1): void {
  if (typeof value === 'string') spend(evaluation, value.length)
  if (typeof value !== 'object' || value === null) return
  let steps = value.length * perItem
  for (const item of value) if (typeof item === 'string') steps += item.length
  spend(evaluation, steps)
}

/** A text that was made, or is about to be: faults when no cell could hold it. */
export function spendText(evaluation: Evaluation, length: number): void {
  checkTextLength(length)
  spend(evaluation, length)
}

/** Faults when no cell could hold a text of the length. */
export function checkTextLength(length: number): void {
  if (length > limits.cellBytes) throw fault
}

/**
 * A list that was made, or is about to be, of which so many items are new: an item of a stored list takes
 * two bytes or more.
 */
export function spendList(evaluation: Evaluation, length: number, added = length): void {
  if (length > limits.cellBytes / 2) throw fault
  spend(evaluation, added)
}
