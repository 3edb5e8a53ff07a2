import { type Compilable, type CreateTableBuilder, sql } from 'kysely'
import { type QueryBuilder, queryBuilderOf } from '../core/database.ts'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'

/**
 * One step from an older file or database to a newer one. A migration that has landed is never changed:
 * what it did wrong, the next one mends. Columns that it adds to what is part of a base are empty at
 * first, so that the hash of the base stays as it was.
 */
export interface Migration {
  readonly name: string
  /** The statements, in order, which work on every engine. */
  readonly statements: (builder: TableBuilder) => readonly Compilable[]
}

type Column = readonly [
  name: string,
  type: 'text' | 'integer' | 'bigint' | 'double precision' | 'boolean',
  nullable?: 'null',
]

/** Makes the statements of migrations. */
export class TableBuilder {
  readonly db: QueryBuilder
  readonly #dialect: SqlDialect

  constructor(dialect: SqlDialect) {
    this.db = queryBuilderOf(dialect)
    this.#dialect = dialect
  }

  /** A table with its columns (not null unless said) and its named primary key. */
  readonly table = (
    name: string,
    columns: readonly Column[],
    primaryKey: readonly string[],
  ): CreateTableBuilder<string, string> => {
    let builder: CreateTableBuilder<string, string> = this.db.schema.createTable(name)
    for (const [column, type, nullable] of columns) {
      builder = builder.addColumn(column, sql.raw(this.#typeOf(type)), (definition) =>
        nullable ? definition : definition.notNull(),
      )
    }
    return builder.addPrimaryKeyConstraint(`${name}_pk`, primaryKey as never)
  }

  /** Adds a column, which is empty in the rows that there are. */
  readonly addColumn = (table: string, [name, type]: Column): Compilable =>
    this.db.schema.alterTable(table).addColumn(name, sql.raw(this.#typeOf(type)))

  /** Text is ordered and compared in the same way everywhere, as that of user tables is. */
  #typeOf(type: Column[1]): string {
    return type === 'text' ? this.#dialect.tables.columnTypes.TEXT : type
  }
}

/** The columns that a deletion marks. */
export const deletionColumns: readonly Column[] = [
  ['deletion_id', 'text', 'null'],
  ['deleted_time', 'text', 'null'],
  ['deleted_by', 'text', 'null'],
]
