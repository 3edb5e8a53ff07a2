import { type Issue, invalidAt } from '../../errors.ts'
import { type FormulaError, formulaRefused } from '../../formulas/formula-error.ts'
import type { Table } from '../../tables/table.ts'
import type { Field } from '../field.ts'
import type { Filter } from '../filter.ts'
import type { LookupOptions } from '../lookup-options.ts'
import type { Misfit } from '../misfit.ts'
import type { ComputationScope } from './computation.ts'

/** What of a field follows from the fields that it reads. */
export interface Derived
  extends Partial<Pick<Field, 'type' | 'options' | 'lookupOptions' | 'result'>> {
  /** What is wrong with the option that did not fit, and was replaced or left out. */
  readonly misfit?: Misfit | undefined
}

/** Why a field can't be computed: which member of its definition is wrong, and what would be right. */
export class DerivationRefusal {
  readonly path: Issue['path']
  readonly message: string
  readonly formulaError: FormulaError | undefined

  constructor(path: Issue['path'], reason: string | FormulaError) {
    this.path = path
    this.message = typeof reason === 'string' ? reason : reason.message
    this.formulaError = typeof reason === 'string' ? undefined : reason
  }

  /** The refusal as a caller gets it, with the path from the root of the request. */
  toError(pathOf: (...members: Issue['path']) => Issue['path']): Error {
    const path = pathOf(...this.path)
    return this.formulaError
      ? formulaRefused(this.formulaError, path)
      : invalidAt(path, this.message)
  }
}

/** A table that a link leads to. */
export interface ForeignTable {
  readonly table: Table
  readonly fields: ReadonlyMap<string, Field>
  /** The fields that titles of links can come from. */
  readonly titleFieldIds: ReadonlySet<string>
  readonly primary: Field
}

/** What a lookup or rollup reads. */
export interface Reading {
  /** The field of the linked table. */
  readonly source: Field
  readonly lookupOptions: LookupOptions
  /** What is wrong with the base that was said. */
  readonly misfit: Misfit | undefined
}

/** The fields that a field may read. */
export interface FieldSources {
  /** The fields of its own table, by id. */
  readonly own: ReadonlyMap<string, Field>
  /** The base of its own table. */
  readonly baseId: string
  /** A linked table, undefined when it is gone. */
  foreign(tableId: string): Promise<ForeignTable | undefined>
  /** The own fields as formulas see them. */
  readonly scope: ComputationScope
  /**
   * What is wrong with a filter about fields of a linked table, its path within the filter; undefined where it fits.
   * What is `always` the same can't ask for who looks, or for how long ago something was.
   */
  misfitOfFilter(
    filter: Filter,
    fields: ForeignTable['fields'],
    when: 'always' | 'whenAsked',
  ): Issue | undefined
  /** What a lookup or rollup reads: its link field in its own table, and the field in the linked one. */
  readThroughLink(field: Pick<Field, 'lookupOptions'>): Promise<Reading | DerivationRefusal>
}
