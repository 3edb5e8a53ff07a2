import type { z } from 'zod'
import type { StoredFile } from '../attachments/attachment-repository.ts'
import type { Ids } from '../ids.ts'
import type { CellValueType, ValueType } from '../values/value-type.ts'
import type { Cell, CellRules, Refusal } from './cell.ts'
import type { DbFieldType, SystemColumn } from './column-type.ts'
import type { Computation, ComputationScope } from './derivation/computation.ts'
import type { DerivationRefusal, Derived, FieldSources } from './derivation/derivation.ts'
import type { LookupOptions } from './derivation/lookup-options.ts'
import type { Field } from './field.ts'
import type { FieldTypeName } from './field-type-name.ts'
import type { Filter } from './filter.ts'
import type { LinkEnd } from './link-end.ts'

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
  /** What may be tokens of files in a text of the form that `format` writes. */
  tokensIn(text: string): readonly string[]
  /** The files that such a text names, by the tokens that are known. */
  namedIn(
    text: string,
    known: ReadonlySet<string>,
  ): readonly { readonly name: string; readonly token: string }[]
  /** What the cell says of its files, by their tokens. */
  stored(cell: Cell | null): ReadonlyMap<string, FileFacts>
  /** The cell with what is stored of its files; items without an id, or with one that is taken, get one. */
  fill(cell: Cell, files: ReadonlyMap<string, FileFacts>, ids: Pick<Ids, 'next'>): Cell
  /** The cell with other tokens, for those of its files that have one among them. */
  withTokens(cell: Cell, tokens: ReadonlyMap<string, string>): Cell
}

/** What is shown of a link beside its tables and fields. */
export type LinkPlace = Omit<LookupOptions, 'foreignTableId' | 'lookupFieldId' | 'linkFieldId'>

/** The capability of a type whose cells are links. */
export interface LinkCapability<Options> {
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
  /** What must hold of the records that people are offered to pick from. */
  filter(options: Options): Filter | undefined
  /** The view of the linked table that its records are picked from. */
  filterViewId(options: Options): string | undefined
  /** The field of the linked table that titles come from. */
  titleFieldId(options: Options): string | undefined
  /** Whether the linked table is to have no field that shows the link. */
  isOneWay(options: Options): boolean
  /** What lookups through the link show of it. */
  placeOf(options: Options): LinkPlace
  /** The options of a lookup of such links, with other ids for those of bases, tables and views that have one. */
  renamed(options: Options, idByOriginal: ReadonlyMap<string, string>): Options
  /** The ids of the records in the cell, in its order. */
  recordIds(cell: Cell): readonly string[]
  /** The cell with other ids of records. */
  withRecordIds(cell: Cell, idOf: (recordId: string) => string): Cell
  /** The texts in a value that lenient reading may take for ids or titles of records. */
  texts(value: unknown): readonly string[]
}

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
  /** Whether cells of records that there are change by presses alone, never to what a caller sends. */
  readonly isPressed?: true
  /** Whether the cells name users. */
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
   * Derives what the field is from the fields that it reads, again whenever one of these changes; absent for types that
   * read none.
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
 * Gives a field type the types of its options and cells while it is written. Shared code sees none of
 * them; what callers send and get is typed by the name, the schema of the options, and by whether it reads
 * through a link.
 */
export function fieldType<Options, C extends Cell>() {
  return <Type extends FieldType<Options, C>>(type: Type) =>
    type as unknown as KnownFieldType<
      Type['name'],
      Type['options'],
      Type extends { readonly readsThroughLink: true } ? true : false
    >
}
