import {
  type Codec,
  type CodedColumn,
  type ColumnFor,
  codecOf,
  type NameOf,
  type StoredIn,
} from './column-codecs.ts'

/** The column of each member of what a table keeps. */
type ColumnsOf<Entity> = { readonly [Member in keyof Entity]-?: ColumnFor<Entity[Member]> }

/** A row of a table with these columns. */
type RowWith<Entity, Columns> = {
  [Member in keyof Columns & keyof Entity as NameOf<Columns[Member]>]: StoredIn<
    Columns[Member],
    Entity[Member]
  >
}

/** A row of the table. */
export type RowOf<Columns extends { readonly row?: object }> = NonNullable<Columns['row']>

/** The columns that a deletion marks; all null in a living row. */
export interface DeletionColumns {
  deletion_id: string | null
  deleted_time: string | null
  deleted_by: string | null
}

/** A row of the table, whose rows are deleted by being marked. */
export type MarkedRowOf<Columns extends { readonly row?: object }> = RowOf<Columns> &
  DeletionColumns

/** The columns of one of the product's own tables, written once: what its rows are, and how they are made and read. */
export class TableColumns<Entity extends object, Row extends object> {
  /** Carries the type of a row; never set. */
  declare readonly row?: Row
  /** The names of all columns. */
  readonly names: readonly (keyof Row & string)[]
  /** The names of those that hold truth values. */
  readonly flags: readonly string[]
  /** What a row keeps; other columns that were read with it are passed over. */
  readonly toEntity: (row: Row) => Entity
  readonly #members: readonly string[]
  readonly #stored: readonly string[]
  readonly #coded: readonly (readonly [member: string, name: string, codec: Codec])[]
  readonly #derived: readonly (readonly [name: string, from: (entity: Entity) => unknown])[]

  /** Takes the column of each member, and what other columns hold, which are never read as a part of it. */
  constructor(
    columns: Readonly<Record<string, string | CodedColumn>>,
    derived: Readonly<Record<string, (entity: Entity) => unknown>> = {},
  ) {
    const all = Object.entries(columns).map(([member, column]) => {
      const name = typeof column === 'string' ? column : column.name
      return { member, name, codec: codecOf(column) }
    })
    this.#members = all.map(({ member }) => member)
    this.#stored = all.map(({ name }) => name)
    this.#coded = all.flatMap(({ member, name, codec }) =>
      codec ? [[member, name, codec] as const] : [],
    )
    this.#derived = Object.entries(derived)
    this.names = [...this.#stored, ...Object.keys(derived)] as (keyof Row & string)[]
    this.flags = Object.values(columns).flatMap((column) =>
      typeof column !== 'string' && column.kind === 'flag' ? [column.name] : [],
    )
    this.toEntity = this.reader('')
  }

  /** The names of all columns but some. */
  except<Left extends keyof Row & string>(
    ...left: readonly Left[]
  ): readonly Exclude<keyof Row & string, Left>[] {
    const isKept = (name: string): name is Exclude<keyof Row & string, Left> =>
      !left.some((one) => one === name)
    return this.names.filter(isKept)
  }

  /** The row that keeps what the table is for. */
  toRow(entity: Entity): Row {
    const row: Record<string, unknown> = {}
    const members = entity as Readonly<Record<string, unknown>>
    for (const [index, name] of this.#stored.entries()) {
      row[name] = members[this.#members[index] ?? '']
    }
    for (const [member, name, { encode }] of this.#coded) row[name] = encode(members[member])
    for (const [name, from] of this.#derived) row[name] = from(entity)
    return row as Row
  }

  /** Makes what reads rows in which the names of these columns begin with something. */
  reader(prefix: string): (row: object) => Entity {
    const members = this.#members
    const names = this.#stored.map((name) => prefix + name)
    const coded = this.#coded.map(([member, name, { decode }]) => ({
      member,
      name: prefix + name,
      decode,
    }))
    // Called for every row there is: it looks up what it was made with, and nothing else.
    return (row) => {
      const stored = row as Readonly<Record<string, unknown>>
      const entity: Record<string, unknown> = {}
      for (let index = 0; index < members.length; index++) {
        entity[members[index] as string] = stored[names[index] as string]
      }
      for (const { member, name, decode } of coded) entity[member] = decode(stored[name])
      return entity as Entity
    }
  }
}

/** Defines the columns of the table that keeps the entity: the type is given, the columns follow. */
export function columnsFor<Entity extends object>() {
  return <
    const Columns extends ColumnsOf<Entity>,
    const Derived extends Readonly<
      Record<string, (entity: Entity) => string | number | null>
    > = Record<never, never>,
  >(
    columns: Columns,
    derived?: Derived,
  ) =>
    new TableColumns<
      Entity,
      RowWith<Entity, Columns> & { [Name in keyof Derived]: ReturnType<Derived[Name]> }
    >(columns as Readonly<Record<string, string | CodedColumn>>, derived)
}
