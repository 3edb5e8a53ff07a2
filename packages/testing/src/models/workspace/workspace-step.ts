import type { FormulaShape } from '../values/formula-shape.ts'
import type { RollupFunction } from '../values/model-rollup.ts'
import type { Relationship } from './model-relationship.ts'

/**
 * The place of a thing among those of its kind that a step can mean, counted round: whatever else is left
 * out of a script, a step still means something.
 */
export type Place = number

/** A field that takes what is written into it, but links. */
type PlainShape = TextShape | NumberShape | { readonly kind: 'checkbox' | 'select' }

interface TextShape {
  readonly kind: 'text'
}

interface NumberShape {
  readonly kind: 'number'
  readonly precision: number
}

/** What is read of linked records. */
interface ReadingShape {
  readonly link: Place
  readonly source: Place
  readonly filter?: FilterShape | undefined
}

/** What is asked of linked records: fields of their table, and one of the questions that fit each. */
export interface FilterShape {
  readonly conjunction: 'and' | 'or'
  readonly items: readonly { readonly field: Place; readonly question: Place }[]
}

/** A field that is computed from others. */
type ComputedShape =
  | (ReadingShape & { readonly kind: 'lookup' })
  | (ReadingShape & { readonly kind: 'rollup'; readonly summary: RollupFunction })
  | { readonly kind: 'formula'; readonly formula: FormulaShape }

export type FieldShape =
  | PlainShape
  | {
      readonly kind: 'link'
      readonly relationship: Relationship
      readonly foreign: Place
      readonly isOneWay: boolean
      /** The field that titles come from, undefined for the default. */
      readonly titles: Place | undefined
    }
  | ComputedShape

/** What a field becomes. */
export type ConversionShape = TextShape | NumberShape | ComputedShape

/** What a cell is to hold: one of a few values, or some records when the field is a link. */
export interface CellShape {
  readonly field: Place
  readonly value: number
  readonly records: readonly Place[]
  /** What is wrong with the records. */
  readonly flaw: 'twice' | 'unknown' | undefined
}

export type RowShape = readonly CellShape[]

/** A change of a workspace. */
export type WorkspaceStep =
  | { readonly kind: 'create table'; readonly base: Place }
  | { readonly kind: 'delete table'; readonly table: Place; readonly isPermanent: boolean }
  | {
      readonly kind: 'create field'
      readonly table: Place
      readonly name: string
      readonly field: FieldShape
    }
  | {
      readonly kind: 'rename field'
      readonly table: Place
      readonly field: Place
      readonly name: string
    }
  | { readonly kind: 'delete fields'; readonly table: Place; readonly fields: readonly Place[] }
  | {
      readonly kind: 'retitle link'
      readonly table: Place
      readonly link: Place
      /** The field that titles come from, undefined for the default. */
      readonly titles: Place | undefined
    }
  | { readonly kind: 'duplicate field'; readonly table: Place; readonly field: Place }
  | {
      readonly kind: 'duplicate table'
      readonly table: Place
      readonly includeRecords: boolean
    }
  | {
      readonly kind: 'convert field'
      readonly table: Place
      readonly field: Place
      readonly to: ConversionShape
    }
  | { readonly kind: 'create records'; readonly table: Place; readonly rows: readonly RowShape[] }
  | {
      readonly kind: 'update records'
      readonly table: Place
      readonly changes: readonly { readonly record: Place; readonly row: RowShape }[]
    }
  | { readonly kind: 'delete records'; readonly table: Place; readonly records: readonly Place[] }
  | { readonly kind: 'restore records'; readonly table: Place; readonly records: readonly Place[] }
  | { readonly kind: 'restore fields'; readonly table: Place; readonly fields: readonly Place[] }
  | { readonly kind: 'restore table'; readonly table: Place }
  | { readonly kind: 'restore entry'; readonly entry: Place }
  | { readonly kind: 'purge trash'; readonly table: Place; readonly isOfBase: boolean }

/** The step of a kind. */
export type StepOf<Kind extends WorkspaceStep['kind']> = Extract<WorkspaceStep, { kind: Kind }>
