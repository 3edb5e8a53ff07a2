import type { DateFormatting } from '@gateleg/domain/values/dates/date-formatting'
import type { NumberFormatting } from '@gateleg/domain/values/number-formatting'
import type { RawBuilder } from 'kysely'

/** The types of values that queries compare. */
export type ComparedType = 'TEXT' | 'REAL' | 'BOOLEAN' | 'DATETIME' | 'INTEGER'

/** A value inside JSON, as SQL reads it; each is null where it isn't there. */
export interface JsonValue {
  readonly text: RawBuilder<string>
  readonly number: RawBuilder<number>
  readonly boolean: RawBuilder<boolean>
  /** The text of a member of it, an object. */
  member(name: string): RawBuilder<string>
  /** The number of a member of it, an object. */
  numberMember(name: string): RawBuilder<number>
}

/** How an engine reads, folds and compares the cells that a query asks about. */
export interface QueryDialect {
  /** Whether rows are sorted faster as they are stored than with the columns alone that are asked for: those cost a copy each. */
  readonly sortsWhole: boolean
  /** Whether an index of expressions is searched for what several of them are compared with at once; else one of columns alone. */
  readonly searchesExpressions: boolean
  /** The text with upper and lower case made alike, as `foldCase` has it; compares by code point. */
  fold(text: RawBuilder<string>): RawBuilder<string>
  /** The given number of first characters of the text, folded. */
  foldStart(text: RawBuilder<string>, length: number): RawBuilder<string>
  /** Whether the first text contains the second one. */
  contains(text: RawBuilder<string>, part: RawBuilder<string>): RawBuilder<boolean>
  /** Whether the folded text contains a text that a caller sent, which is folded, too. May be null instead of false. */
  foldedContains(text: RawBuilder<string>, part: string): RawBuilder<boolean>
  /**
   * Whether a condition is false or null. An engine may have no word for it that is safe beside the columns of users: SQLite
   * takes `true` for a column where the table has one that is called so.
   */
  isNotTrue(condition: RawBuilder<unknown>): RawBuilder<boolean>
  /** The local time of a moment in a zone, as `toLocalText` gives it, cut to the given number of characters. */
  localText(moment: RawBuilder<string>, zone: string, length: number): RawBuilder<string>
  /** The text that is shown for a number, folded: see `formatNumber`; plain digits without a formatting. */
  shownNumber(value: RawBuilder<number>, formatting?: NumberFormatting): RawBuilder<string>
  /** The text that is shown for a moment, folded: see `localFormat` and `toLocalText`. */
  shownDate(moment: RawBuilder<string>, formatting: DateFormatting): RawBuilder<string>
  /** A moment that JSON has as text, as a value of a column of moments. */
  toMoment(text: RawBuilder<string>): RawBuilder<string>
  /** The place of a text in a list of texts, from 0; null where it isn't in it. */
  placeIn(texts: readonly string[], text: RawBuilder<string>): RawBuilder<number>
  /** A JSON value. */
  json(value: RawBuilder<unknown>): JsonValue
  /** The first item of a JSON list. */
  firstOf(list: RawBuilder<unknown>): JsonValue
  /** How many items a JSON list has. */
  lengthOf(list: RawBuilder<unknown>): RawBuilder<number>
  /**
   * The items of a JSON list as a table of the name in a FROM, and how to read the item of its row. The table has the
   * columns `value` and `key`, the place of the item.
   */
  items(
    list: RawBuilder<unknown>,
    name: string,
  ): { readonly table: RawBuilder<unknown>; readonly item: JsonValue }
  /** The texts of the items of a JSON list, in their order, as one; '' where there are none. */
  joined(
    list: RawBuilder<unknown>,
    toText: (item: JsonValue) => RawBuilder<string>,
  ): RawBuilder<string>
  /** The bits of a number, as `numberBits` has them. */
  numberBits(value: RawBuilder<number>): RawBuilder<string>
  /** SHA-256 of a text, in lower-case hexadecimal. */
  digest(text: RawBuilder<string>): RawBuilder<string>
  /**
   * Rows as a table that is joined by a column that is computed: an engine that looks up by columns of its own alone
   * makes the rows first.
   */
  keyed(rows: RawBuilder<unknown>): RawBuilder<unknown>
  /**
   * The rows that a select finds, of which all is given but its columns, as `t` for a select around it; `t` is the table there,
   * too. Not as its columns everywhere: SQLite gives one another name in a subquery that is called `true` or `false`.
   */
  rowsFound(found: RawBuilder<unknown>, table: RawBuilder<unknown>): RawBuilder<unknown>
  /** A table of items in a join, for each row of what stands before it. */
  lateral(items: RawBuilder<unknown>): RawBuilder<unknown>
  /** Whether a value of the type is one of the list. */
  isOneOf(
    value: RawBuilder<unknown>,
    values: readonly unknown[],
    type: ComparedType,
  ): RawBuilder<boolean>
  /**
   * The sum of numbers as an aggregate, as exact as the digits that are told of it, in whatever sequence an engine adds them up.
   */
  sum(value: RawBuilder<number>): RawBuilder<number>
  /** A value that is bound, of the type. */
  given(value: unknown, type: ComparedType): RawBuilder<never>
}
