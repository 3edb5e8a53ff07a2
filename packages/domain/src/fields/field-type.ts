import type { z } from 'zod'
import type { StoredFile } from '../attachments/attachment-repository.ts'
import type { Ids } from '../ids.ts'
import type { CellValueType, ValueType } from '../values/value-type.ts'
import type { Cell, CellRules, Refusal } from './cell.ts'
import type { DbFieldType, SystemColumn } from './column-type.ts'
import type { Computation, ComputationScope } from './computed/computation.ts'
import type { DerivationRefusal, Derived, FieldSources } from './computed/derivation.ts'
import type { Field } from './field.ts'
import type { FieldTypeName } from './field-type-name.ts'
import type { Filter } from './filter.ts'
import type { LinkEnd } from './link-end.ts'
import type { LookupOptions } from './lookup-options.ts'

/** The capability of a type whose cells name choices that can be added to its options. */
export interface ChoiceCapability<Options> {
  /** The names in the cell that the options don't have yet, in order, each once. */
  missing(options: Options, cell: Cell): readonly string[]
  /**
   * The options with the named choices added as far as their limit allows, or unchanged where the
   * field forbids new ones. A cell whose name found no room is refused by the rules of the result.
   */
  add(options: Options, names: readonly string[], ids: Pick<Ids, 'choice'>): Options
}

/** What a cell says of a file beside its name. */
export type FileFacts = Pick<StoredFile, 'path' | 'size' | 'mimetype' | 'width' | 'height'>

/** The capability of a type whose cells are files. */
export interface FileCapability {
  /** The tokens in the cell, in order. */
  tokens(cell: Cell | null): readonly string[]
  /** All texts in the output of `format` that may be file tokens. */
  tokensIn(text: string): readonly string[]
  /** The files that a text from `format` names, as far as their tokens are known. */
  namedIn(
    text: string,
    known: ReadonlySet<string>,
  ): readonly { readonly name: string; readonly token: string }[]
  /** The facts that the cell stores of its files, by token. */
  stored(cell: Cell | null): ReadonlyMap<string, FileFacts>
  /** The cell with the facts of its files filled in. Items without an id, or with an id that is taken, get a new one. */
  fill(cell: Cell, files: ReadonlyMap<string, FileFacts>, ids: Pick<Ids, 'next'>): Cell
  /** The cell with tokens replaced by the map; tokens that the map lacks stay. */
  withTokens(cell: Cell, tokens: ReadonlyMap<string, string>): Cell
}

/** What the options of a lookup repeat of its link, besides tables and fields. */
export type LinkPlace = Omit<LookupOptions, 'foreignTableId' | 'lookupFieldId' | 'linkFieldId'>

/** The capability of a type whose cells are links. */
export interface LinkCapability<Options> {
  /** The link as its field's end describes it. */
  endOf(options: Options): LinkEnd
  targetOf(options: Options): {
    readonly foreignTableId: string
    /** Undefined for a one-way link. */
    readonly symmetricFieldId: string | undefined
  }
  /** The options of a new field that owns its link; the link is stored under the field's id. */
  asOwner(
    options: Options,
    owner: {
      readonly baseId: string
      readonly fieldId: string
      readonly symmetricFieldId: string | undefined
    },
  ): Options
  /** The options with where an existing link is stored and what its other end is. */
  withPlaceOf(options: Options, stored: Options): Options
  /** The options of the symmetric field, which shows the link in the linked table. */
  asSymmetric(
    options: Options,
    owner: { readonly fieldId: string; readonly tableId: string },
  ): Options
  /** The options of the link as a one-way link, without its symmetric field. */
  asOneWay(options: Options): Options
  /** The filter of the records that users can pick from. */
  filter(options: Options): Filter | undefined
  /** The view of the linked table whose records users can pick from. */
  filterViewId(options: Options): string | undefined
  /** The field of the linked table that gives the titles of linked records. */
  titleFieldId(options: Options): string | undefined
  /** Whether the link is one-way: the linked table has no field for it. */
  isOneWay(options: Options): boolean
  /** What the options of lookups through the link repeat of it. */
  placeOf(options: Options): LinkPlace
  /** The options of a lookup of such links, with the ids of bases, tables and views replaced by the map. */
  renamed(options: Options, idByOriginal: ReadonlyMap<string, string>): Options
  /** The ids of the linked records, in the order of the cell. */
  recordIds(cell: Cell): readonly string[]
  /** The cell with the ids of linked records replaced. */
  withRecordIds(cell: Cell, idOf: (recordId: string) => string): Cell
  /** All texts in a value that `typecast` may read as ids or titles of records. */
  texts(value: unknown): readonly string[]
}

/**
 * A field type. Shared code never branches on a type's name, only on what the type declares here.
 * `Options` are the options as stored; callers send the `z.input` of the schema.
 */
export interface FieldType<Options = unknown, C extends Cell = Cell> {
  readonly name: FieldTypeName
  /** The name of a field whose creator gave none. */
  defaultName(options: Options): string
  /** The schema of the options: it refuses unknown members and fills in defaults. */
  readonly options: z.ZodType<Options>
  /**
   * Adds what parsed options lack, such as ids of choices, or returns a Refusal for what the schema can't check. Absent
   * when there is nothing to add.
   */
  complete?(options: Options, ids: Pick<Ids, 'choice'>): Options | Refusal
  cellValueType(options: Options): CellValueType
  dbFieldType(options: Options): DbFieldType
  isMultiple?(options: Options): boolean
  /** The system column whose values the field shows, such as the created time; such cells are read-only. */
  systemColumn?(options: Options): SystemColumn
  /**
   * The fields whose changes update the cell, as in a "last modified" field of some fields; undefined or empty for all
   * fields. A field that tracks some fields has a column of its own. Only on types with a system column.
   */
  trackedFieldIds?(options: Options): readonly string[] | undefined
  /**
   * The options that determine what a stored cell means. All others affect only how it is shown, or the default of new
   * cells. Absent for types without such options.
   */
  readonly cellOptions?: readonly (keyof Options & string)[]
  /** Whether cells are never shown as text, so that they can't give titles of links. */
  readonly hasNoText?: true
  /** Whether the cells of existing records are changed only by pressing (a button), never to a value that a caller sends. */
  readonly isPressed?: true
  /** Whether the cells hold users. */
  readonly isOfUsers?: true
  readonly canBePrimary: boolean
  readonly canBeUnique: boolean
  readonly canBeNotNull: boolean
  readonly choices?: ChoiceCapability<Options>
  /** Only on types whose cells are files. */
  readonly files?: FileCapability
  /** Only on types whose cells are links to records of a table. */
  readonly link?: LinkCapability<Options>
  /** Whether a field of the type reads a linked table, as lookups do. */
  readonly readsThroughLink?: boolean
  /** The ids of fields in the same table that the cells are computed from, as the options name them. */
  references?(options: Options): readonly string[]
  /**
   * The options with field ids in place of field names, as they are stored. Throws a FormulaError for a name that no field
   * has.
   */
  withFieldIds?(options: Options, idOf: (name: string) => string | undefined): Options
  /** Converts a position in the stored expression, which has field ids, to one in the expression that the caller sent. */
  placeInSent?(stored: Options, position: number, sent: Options): number
  /**
   * Derives from the fields that it reads what depends on them: the value type (`result`) and some options. Called again
   * whenever one of these fields changes. Absent for types that read no fields.
   */
  derive?(field: Field, sources: FieldSources): Promise<Derived | DerivationRefusal>
  /**
   * How the cells are computed from other cells; absent for types whose cells aren't computed. The value type of such a
   * field is its `result`, unless the type has a fixed one.
   */
  computation?(field: Field, scope: ComputationScope): Computation
  /** The rules for the cells; `values` is the value type by `cellValueType` and `isMultiple`, or the field's `result`. */
  cells(options: Options, values: ValueType): CellRules<C>
}

/** A field type whose name and options the compiler knows, so that the types of fields follow from it. */
export interface KnownFieldType<
  Name extends FieldTypeName = FieldTypeName,
  Schema extends z.ZodType = z.ZodType,
  Reads extends boolean = boolean,
> extends FieldType {
  readonly name: Name
  readonly options: Schema
  readonly readsThroughLink?: Reads
}

/**
 * Defines a field type with typed options and cells. Shared code sees it without these types; what callers send and get is
 * typed by the name, the schema of the options, and whether the type reads through a link.
 */
export function fieldType<Options, C extends Cell>() {
  return <Type extends FieldType<Options, C>>(type: Type) =>
    type as unknown as KnownFieldType<
      Type['name'],
      Type['options'],
      Type extends { readonly readsThroughLink: true } ? true : false
    >
}
