import type Database from 'better-sqlite3'

export interface Column {
  readonly name: string
  readonly type: 'text' | 'real' | 'integer'
}

export interface SentRecord {
  readonly fields: Readonly<Record<string, unknown>>
}

/** A statement for a handwritten server; its values are `$1` and so on, on every storage. */
export interface Statement {
  readonly sql: string
  readonly values?: readonly unknown[]
}

/** The rows of one table. */
export class Rows {
  readonly #columns: readonly Column[]
  readonly #insert: Database.Statement
  readonly #find: Database.Statement
  readonly #update: Database.Statement
  readonly #insertAll: (records: readonly SentRecord[]) => number[]

  constructor(database: Database.Database, name: string, columns: readonly Column[]) {
    const definitions = columns.map((column) => `"${column.name}" ${column.type}`).join(', ')
    database.exec(`create table ${name} (_id integer primary key, ${definitions})`)
    const names = columns.map((column) => `"${column.name}"`).join(', ')
    const places = columns.map(() => '?').join(', ')
    this.#columns = columns
    this.#insert = database.prepare(`insert into ${name} (${names}) values (${places})`)
    this.#find = database.prepare(`select * from ${name} where _id = ?`)
    const settings = columns.map((column) => `"${column.name}" = ?`).join(', ')
    this.#update = database.prepare(`update ${name} set ${settings} where _id = ?`)
    this.#insertAll = database.transaction((records) => this.insert(records))
  }

  /** Inserts in the transaction that is open, or each record by itself. Returns the ids. */
  insert(records: readonly SentRecord[]): number[] {
    return records.map(({ fields }) =>
      Number(this.#insert.run(this.#toValues(fields)).lastInsertRowid),
    )
  }

  /** Inserts all or none, in a transaction of its own. */
  insertInTransaction(records: readonly SentRecord[]): number[] {
    return records.length === 1 ? this.insert(records) : this.#insertAll(records)
  }

  find(id: number): unknown {
    return this.#find.get(id)
  }

  /** Sets all columns of a row. Returns whether there is one of the id. */
  update(id: number, { fields }: SentRecord): boolean {
    return this.#update.run([...this.#toValues(fields), id]).changes > 0
  }

  #toValues(fields: SentRecord['fields']): unknown[] {
    return this.#columns.map(({ name }) => toBindable(fields[name]))
  }
}

function toBindable(value: unknown): unknown {
  if (value === undefined) return null
  return typeof value === 'boolean' ? Number(value) : value
}
