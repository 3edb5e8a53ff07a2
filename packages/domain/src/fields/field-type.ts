import type { z } from 'zod'
import type { StoredFile } from '../attachments/attachment-repository.ts'
import type { Timestamp } from '../clock.ts'
import type { FormulaValue } from '../formulas/formula-type.ts'
import type { Ids } from '../ids.ts'
import type { LinkEnd } from '../links/link-end.ts'
import type { Computation, ComputationScope } from './derivation/computation.ts'
import type { DerivationRefusal, Derived, FieldSources } from './derivation/derivation.ts'
import type { LookupOptions } from './derivation/lookup-options.ts'
import type { Field } from './field.ts'

/** All field types of the interface, in its order. */
export const fieldTypeNames = [
  'singleLineText',
  'longText',
  'user',
  'attachment',
  'checkbox',
  'multipleSelect',
  'singleSelect',
  'date',
  'number',
  'rating',
  'formula',
  'rollup',
  'link',
  'createdTime',
  'lastModifiedTime',
  'createdBy',
  'lastModifiedBy',
  'autoNumber',
  'button',
] as const

export type FieldTypeName = (typeof fieldTypeNames)[number]

/** What kind of value a cell holds, for formulas, filters and charts. */
export const cellValueTypes = ['string', 'number', 'boolean', 'dateTime'] as const
export type CellValueType = (typeof cellValueTypes)[number]

/** The type of the physical column; each storage maps it to its own. */
export const dbFieldTypes = [
  'TEXT',
  'INTEGER',
  'DATETIME',
  'REAL',
  'BLOB',
  'JSON',
  'BOOLEAN',
] as const
export type DbFieldType = (typeof dbFieldTypes)[number]

/** What the values of a field are: of which kind, and whether a cell holds a list of them. */
export interface ValueType {
  readonly cellValueType: CellValueType
  readonly isMultiple: boolean
}

/** A column that every record has; some field types show one instead of having a column of their own. */
export type SystemColumn =
  | 'autoNumber'
  | 'createdTime'
  | 'lastModifiedTime'
  | 'createdBy'
  | 'lastModifiedBy'

/**
 * What a cell holds inside the product. An empty cell is null and never reaches the functions below
 * that take a Cell. Users are held by id, choices by name, moments as a Timestamp, links and attachments
 * as objects.
 */
export type Cell =
  | string
  | number
  | boolean
  | readonly unknown[]
  | { readonly [key: string]: unknown }

/** Why a value can't be a cell of a field; the message says what would be right. */
export class Refusal {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** The people that cells may name, as far as the work at hand needs them. */
export interface People {
  /** The display name of a user, undefined for one who is unknown. */
  name(userId: string): string | undefined
  /** What else the caller may see of a user; absent where values aren't shown to anybody. */
  details?(userId: string): { readonly email?: string; readonly avatarUrl?: string }
  /** The id of the collaborator whose id, e-mail address or name the text is. */
  find(text: string): string | undefined
}

/** The records that the cells of a link field may name, as far as the work at hand needs them. */
export interface LinkTargets {
  /** Whether a record of the linked table has the id. */
  has(recordId: string): boolean
  /** The id of the first record of the linked table whose title is the text. */
  find(title: string): string | undefined
}

/** What lenient reading of a value may draw upon. */
export interface CastContext {
  readonly people: People
  /** The time of the call, where a caller may mean that by `now`. */
  readonly now?: Timestamp
  /** Absent where no linked table is at hand: then texts name no records. */
  readonly targets?: LinkTargets
}

/** What default values may draw upon. */
export interface DefaultContext {
  readonly now: Timestamp
  readonly userId: string
}

/**
 * The rules for the cells of one field: made once from the field's options, then used for every
 * record. All functions are pure and never throw on any JSON value.
 */
export interface CellRules<C extends Cell = Cell> {
  /**
   * Strict reading of a JSON value that a caller sent: the cell, null for an empty one, or a Refusal.
   * A value that was answered earlier (`toJson`) is always accepted and gives the same cell.
   */
  parse(value: unknown): C | null | Refusal
  /** Lenient reading: the nearest cell, null where the value has no natural reading. */
  cast(value: unknown, context: CastContext): C | null
  /** The text form, as in `cellFormat: text`. */
  format(cell: C, people: People): string
  /** The JSON form, as in `cellFormat: json`; absent when the cell itself is it. */
  toJson?(cell: C, people: People): unknown
  /** Orders two cells, smaller first; total and consistent. */
  compare(a: C, b: C, people: People): number
  /** The cell of a new record when the caller names none; absent when the field has no default. */
  defaultCell?(context: DefaultContext): C | null
  /** The ids of the users that the cell names; absent when cells of the type never do. */
  userIds?(cell: C): readonly string[]
  /**
   * The cell as formulas see it: people, links and files as their titles, nothing of what has no value
   * there; absent when the cell itself is it.
   */
  toFormula?(cell: C, people: People): FormulaValue
}

/** The ability of a type whose cells name choices that can be added to its options. */
export interface ChoiceAbility<Options> {
  /** The names in the cell that the options don't have yet, in order, each once. */
  missing(options: Options, cell: Cell): readonly string[]
  /**
   * The options with the named choices added as far as their limit allows, or unchanged where the
   * field forbids new ones. A cell whose name found no room is refused by the rules of the result.
   */
  add(options: Options, names: readonly string[], ids: Pick<Ids, 'choice'>): Options
}

/** The ability of a type whose cells are files. */
export interface FileAbility {
  /** The tokens in the cell, in order. */
  tokens(cell: Cell | null): readonly string[]
  /** The cell with what is stored of its files; items without an id, or with one that is taken, get one. */
  fill(cell: Cell, files: ReadonlyMap<string, StoredFile>, ids: Pick<Ids, 'next'>): Cell
}

/** What is shown of a link beside its tables and fields. */
export type LinkPlace = Omit<LookupOptions, 'foreignTableId' | 'lookupFieldId' | 'linkFieldId'>

/** The ability of a type whose cells are links. */
export interface LinkAbility<Options> {
  /** What the options say of the link, as its field's end of it. */
  endOf(options: Options): LinkEnd
  targetOf(options: Options): {
    readonly foreignTableId: string
    /** Undefined for a link that only one table shows. */
    readonly symmetricFieldId: string | undefined
  }
  /** The options of a new field that makes its link, under its own id. */
  asMaker(
    options: Options,
    maker: {
      readonly baseId: string
      readonly fieldId: string
      readonly symmetricFieldId: string | undefined
    },
  ): Options
  /** The options with the place and the other end that a link had already. */
  withPlaceOf(options: Options, stored: Options): Options
  /** The options of the field that shows the link from the linked table. */
  asSymmetric(
    options: Options,
    maker: { readonly fieldId: string; readonly tableId: string },
  ): Options
  /** The options of a link that only its own table shows any more. */
  asOneWay(options: Options): Options
  /** The view of the linked table that its records are picked from. */
  filterViewId(options: Options): string | undefined
  /** The field of the linked table that titles come from. */
  titleFieldId(options: Options): string | undefined
  /** Whether the linked table is to have no field that shows the link. */
  isOneWay(options: Options): boolean
  /** What lookups through the link show of it. */
  placeOf(options: Options): LinkPlace
  /** The ids of the records in the cell, in its order. */
  recordIds(cell: Cell): readonly string[]
  /** The texts in a value that lenient reading may take for ids or titles of records. */
  texts(value: unknown): readonly string[]
}

export type FilterOperator =
  | 'is'
  | 'isNot'
  | 'contains'
  | 'doesNotContain'
  | 'isGreater'
  | 'isGreaterEqual'
  | 'isLess'
  | 'isLessEqual'
  | 'isEmpty'
  | 'isNotEmpty'
  | 'isWithIn'
  | 'isBefore'
  | 'isAfter'
  | 'isOnOrBefore'
  | 'isOnOrAfter'
  | 'isAnyOf'
  | 'isNoneOf'
  | 'hasAnyOf'
  | 'hasAllOf'
  | 'hasNoneOf'
  | 'isExactly'
  | 'isNotExactly'

/**
 * One field type. Shared code never asks for a type's name, only for what the type declares here.
 * `Options` is what is stored; `z.input` of the schema is what a caller may send.
 */
export interface FieldType<Options = unknown, C extends Cell = Cell> {
  readonly name: FieldTypeName
  /** The name of a field whose creator gave none. */
  defaultName(options: Options): string
  /** Strict: refuses unknown members; fills in every default. */
  readonly options: z.ZodType<Options>
  /**
   * Completes parsed options where that takes an id (choices), or refuses what a schema can't see.
   * Absent when there is nothing to complete.
   */
  complete?(options: Options, ids: Pick<Ids, 'choice'>): Options | Refusal
  cellValueType(options: Options): CellValueType
  dbFieldType(options: Options): DbFieldType
  isMultiple?(options: Options): boolean
  /** The system column the field shows. A type with one has computed, read-only cells. */
  systemColumn?(options: Options): SystemColumn
  /**
   * The fields whose changes the cells follow; undefined or empty for all of them. A field that
   * follows some has a column of its own, written with the change. Only on types with a system column.
   */
  trackedFieldIds?(options: Options): readonly string[] | undefined
  /**
   * The options on which it depends what a cell means; the others say how it is shown or what new ones
   * are. Absent for types whose cells depend on none.
   */
  readonly cellOptions?: readonly (keyof Options & string)[]
  /** Whether nothing is ever shown of the cells as text: then titles of links don't come from them. */
  readonly hasNoText?: true
  /** Whether the cells name users. */
  readonly isOfUsers?: true
  readonly canBePrimary: boolean
  readonly canBeUnique: boolean
  readonly canBeNotNull: boolean
  filterOperators(options: Options, values: ValueType): readonly FilterOperator[]
  readonly choices?: ChoiceAbility<Options>
  /** Only on types whose cells are files. */
  readonly files?: FileAbility
  /** Only on types whose cells are links to records of a table. */
  readonly link?: LinkAbility<Options>
  /** Whether a field of the type reads a linked table, as lookups do. */
  readonly readsThroughLink?: boolean
  /** The fields of the same table that the options name, where the cells follow from those. */
  references?(options: Options): readonly string[]
  /**
   * The options with ids in the place of fields' names, as they are stored. Throws a FormulaError for a
   * name that names no field.
   */
  withFieldIds?(options: Options, idOf: (name: string) => string | undefined): Options
  /** Where a place of the stored expression is in the one that a caller sent, with fields' names in it. */
  placeInSent?(stored: Options, position: number, sent: Options): number
  /**
   * Works out what the field is from the fields that it reads; absent for types that read none. Asked
   * again whenever one of those changes.
   */
  derive?(field: Field, sources: FieldSources): Promise<Derived | DerivationRefusal>
  /**
   * How the cells follow from other cells; absent for types whose cells don't. A type with it has
   * values of the kind that `Field.result` says, unless it has a kind of its own.
   */
  computation?(field: Field, scope: ComputationScope): Computation
  /** The rules for cells that hold the values; `values` is what `cellValueType` and `isMultiple` say, or the field's result. */
  cells(options: Options, values: ValueType): CellRules<C>
}

/** Gives a field type its types while it is written, and erases them for the registry. */
export function fieldType<Options, C extends Cell>(type: FieldType<Options, C>): FieldType {
  return type as unknown as FieldType
}
