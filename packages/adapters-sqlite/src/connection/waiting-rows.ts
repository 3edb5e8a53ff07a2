import type { AddedRows, Run } from '@gateleg/sql/core/connection'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Rows of whichever table wait in one that has so many columns at least: there are few of these. */
const columnsMin = 8

/** The table in which rows of so many values wait, as statements name it: a temporary one, which its connection alone has. */
export function waitingTable(width: number): string {
  return `temp.rows_waiting_${columnCount(width)}`
}

/** Its columns for these values, in their order. They have no type: a value stays as it was bound. */
export function waitingColumns(width: number): readonly string[] {
  return Array.from({ length: width }, (_, index) => `value_${index}`)
}

/**
 * As much memory as `lengthSentAhead` can take, given back when the rows are gone: SQLite would put more than its 16 MB into
 * a file, for which a container may have no place.
 */
const staysInMemory = 'pragma temp.auto_vacuum = full; pragma temp.cache_size = -32768'

function columnCount(width: number): number {
  let count = columnsMin
  while (count < width) count *= 2
  return count
}

/**
 * Rows that wait on a connection before they are added. SQLite copies rows from one table to another in a third of the
 * time in which it adds rows that are bound; they are bound while nobody waits for that.
 */
export class WaitingRows {
  readonly #connection: SqliteConnection
  #adding: AddedRows | undefined
  #width: number | undefined

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  /** Has rows wait, which are of one table as long as they aren't added. No transaction is begun. */
  async put({ width, addWaiting, before, values }: Run): Promise<void> {
    if (this.#width === undefined) {
      const columns = waitingColumns(columnCount(width)).join()
      const create = `create table if not exists ${waitingTable(width)} (${columns})`
      await this.#connection.define(`${staysInMemory}; ${create}`)
    }
    this.#width = width
    this.#adding = { sql: addWaiting, before, values: [[]] }
    const row = `(${new Array(width).fill('?').join()})`
    const rows = new Array((values[0]?.length ?? 0) / width).fill(row).join()
    const places = waitingColumns(width).join()
    const sql = `insert into ${waitingTable(width)} (${places}) values ${rows}`
    await this.#connection.addInOrder([{ sql, before: [], values }])
  }

  /** Adds the rows that wait, in their order, in the transaction that has begun. Returns the number of the last one; 0 where none wait. */
  async add(): Promise<number> {
    const adding = this.#adding
    this.#adding = undefined
    return adding ? this.#connection.addInOrder([adding]) : 0
  }

  /** Empties the table, once the transaction has ended. */
  async forget(): Promise<void> {
    if (this.#width === undefined) return
    await this.#connection.run(`delete from ${waitingTable(this.#width)}`, [])
    this.#width = undefined
  }
}
