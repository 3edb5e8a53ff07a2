/** Truth values come back as 0 and 1 from an engine without a type for them. */
export type Flag = boolean | number

/** How values are stored whose type the column doesn't have. */
const codecs = {
  /** True or false. */
  flag: { encode: (value: unknown) => value, decode: Boolean },
  /** Undefined as null. */
  optional: {
    encode: (value: unknown) => value ?? null,
    decode: (stored: unknown) => stored ?? undefined,
  },
  /** As JSON text. */
  json: { encode: JSON.stringify, decode: fromJson },
  /** As JSON text, and null as null. */
  nullableJson: {
    encode: (value: unknown) => (value === null ? null : JSON.stringify(value)),
    decode: (stored: unknown) => (stored === null ? null : fromJson(stored)),
  },
  /** As JSON text, and undefined as null. */
  optionalJson: {
    encode: (value: unknown) => (value === undefined ? null : JSON.stringify(value)),
    decode: (stored: unknown) => (stored === null ? undefined : fromJson(stored)),
  },
} satisfies Record<string, Codec>

/** How a value is written to a column, and read from it. */
export interface Codec {
  encode(value: unknown): unknown
  decode(stored: unknown): unknown
}

type Kind = keyof typeof codecs

/** A column that keeps values of a kind in a form of their own. */
export interface CodedColumn<Name extends string = string, Of extends Kind = Kind> {
  readonly name: Name
  readonly kind: Of
}

/** The columns that may hold values of the type: a plain name where the column holds them as they are. */
export type ColumnFor<Value> = unknown extends Value
  ? CodedColumn<string, 'json' | 'nullableJson'>
  : [Value] extends [boolean]
    ? CodedColumn<string, 'flag'>
    : undefined extends Value
      ? CodedColumn<
          string,
          Exclude<Value, undefined> extends string | number ? 'optional' : 'optionalJson'
        >
      : [Value] extends [string | number | null]
        ? string
        : CodedColumn<string, null extends Value ? 'nullableJson' : 'json'>

/** The stored form of a value in the column. */
export type StoredIn<Column, Value> =
  Column extends CodedColumn<string, infer Of> ? StoredAs<Of, Value> : Value

interface StoredByKind<Value> {
  flag: Flag
  optional: Exclude<Value, undefined> | null
  json: string
  nullableJson: string | null
  optionalJson: string | null
}

type StoredAs<Of extends Kind, Value> = StoredByKind<Value>[Of]

/** The name of a column. */
export type NameOf<Column> =
  Column extends CodedColumn<infer Name> ? Name : Column extends string ? Column : never

/** A column of truth values. */
export const flag = columnOf('flag')

/** A column of values that may be undefined, which is null there. */
export const optional = columnOf('optional')

/** A column of JSON. */
export const json = columnOf('json')

/** A column of JSON, or null. */
export const nullableJson = columnOf('nullableJson')

/** A column of JSON of what may be undefined, which is null there. */
export const optionalJson = columnOf('optionalJson')

/** How the column stores its values; undefined where it holds them as they are. */
export function codecOf(column: string | CodedColumn): Codec | undefined {
  return typeof column === 'string' ? undefined : codecs[column.kind]
}

function columnOf<Of extends Kind>(kind: Of) {
  return <const Name extends string>(name: Name): CodedColumn<Name, Of> => ({ name, kind })
}

function fromJson(stored: unknown): unknown {
  return JSON.parse(stored as string)
}
