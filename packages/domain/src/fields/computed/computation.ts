import type { FormulaFields } from '../../formulas/checking/check-types.ts'
import type { FormulaField } from '../../formulas/checking/checked.ts'
import type { FormulaScope } from '../../formulas/compile-formula.ts'
import { dependenciesOf, lazyFormula } from '../../formulas/formula-cache.ts'
import type { RowFact } from '../../formulas/functions/formula-function.ts'
import type { FormulaRow } from '../../formulas/runtime/evaluation.ts'
import type { Cell, CellRules, People } from '../cell.ts'
import type { Field, FieldShape } from '../field.ts'
import { roomFor } from './cell-room.ts'
import type { ReadThrough } from './read-through.ts'

/** A record that a cell is linked to, with its value in the field that is read through the link. */
export interface LinkedCell {
  readonly recordId: string
  readonly cell: Cell | null
}

/** What a computed cell is made from, for one record. */
interface ComputationInputs {
  /** The record and its other cells, as formulas see them. */
  readonly row: FormulaRow
  /** The linked records, in the order of the link; none for a computation that reads no others. */
  readonly linked: readonly LinkedCell[]
  /** The field that the linked cells are of; undefined for a computation that reads no others. */
  readonly source: { readonly rules: CellRules } | undefined
  readonly people: People
  /** Counts steps of work; see limits.formulaSteps. Linked cells are counted already. */
  spend(steps: number): void
}

/** How the cells of one field follow from others. Made once per schema, used for every record. */
export interface Computation {
  /** The fields of the same record that a cell depends on, a link that it reads through among them. */
  readonly ownFieldIds: readonly string[]
  /** What a cell depends on in the records that one of the table's link fields links to. */
  readonly through?: ReadThrough
  /** What else of the record, or of time, a cell depends on. */
  readonly reads: ReadonlySet<RowFact>
  /** Bytes, roughly, that it takes while it is ready, for what is compiled for it. */
  readonly compiledBytes: number
  /** Makes it ready for any number of records. Who holds what this gives holds what is compiled for it. */
  ready(): EvaluateCell
}

/** The cell, null when it is empty. Never throws; depends on nothing but the inputs. */
export type EvaluateCell = (inputs: ComputationInputs) => Cell | null

/** What computations are made in. */
export interface ComputationScope {
  /** The fields of the table, as formulas see them. */
  readonly fields: FormulaFields
  /** Any field as formulas see it. */
  toFormulaField(field: FieldShape): FormulaField
}

/** The computation of a field that can't be computed: its cells are empty. */
export const brokenComputation: Computation = {
  ownFieldIds: [],
  reads: new Set(),
  compiledBytes: 0,
  ready: () => () => null,
}

/** The computation of a right formula over the cells of the same record; compiled when it is used. */
export function formulaComputation(
  field: Field,
  expression: string,
  scope: FormulaScope,
): Computation {
  const { fieldIds, reads } = dependenciesOf(expression)
  const formula = lazyFormula(expression, scope)
  return {
    ownFieldIds: fieldIds,
    reads,
    compiledBytes: formula.bytes,
    ready: () => {
      const { evaluate } = formula.get()
      const room = roomFor(field)
      return ({ row, spend }) => evaluate(row, spend, room)
    },
  }
}
