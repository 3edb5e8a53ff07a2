import type { SqlConnection } from './connection.ts'
import type { OwnTableDialect } from './dialect/own-table-dialect.ts'
import { quote } from './statements/quote.ts'

/** What a fixed statement is made of beside its words. */
interface StatementParts {
  /** The name of one of the tables. */
  readonly table: (name: string) => string
  /** A value, which is bound. */
  readonly value: (value: unknown) => string
}

type Statement = (parts: StatementParts) => string

/**
 * The product's own tables by fixed statements. What opens a storage runs no others: the query builder takes longer to load
 * than all of them take to run, and whoever opens an engine waits for it.
 */
export class OwnTables {
  readonly connection: SqlConnection
  readonly dialect: OwnTableDialect

  constructor(connection: SqlConnection, dialect: OwnTableDialect) {
    this.connection = connection
    this.dialect = dialect
  }

  /** All rows of a query. */
  async all<Row>(statement: Statement): Promise<readonly Row[]> {
    const { sql, values } = this.#write(statement)
    return (await this.connection.all(sql, values)) as readonly Row[]
  }

  /** Runs a statement. Returns how many rows it changed. */
  run(statement: Statement): Promise<number> {
    const { sql, values } = this.#write(statement)
    return this.connection.run(sql, values)
  }

  #write(statement: Statement) {
    const { metadataSchema } = this.dialect
    const beginning = metadataSchema === undefined ? '' : `${quote(metadataSchema)}.`
    const values: unknown[] = []
    const sql = statement({
      table: (name) => beginning + quote(name),
      value: (value) => this.dialect.placeOf(values.push(value)),
    })
    return { sql, values }
  }
}
