import { limits } from '@gateleg/domain/limits'
import { WeightedCache } from '@gateleg/domain/structures/weighted-cache'
import { valueSize } from '@gateleg/sql/core/connection'

/** Rows as statements answer them; who is given them must not change them. */
type KeptRows = readonly Readonly<Record<string, unknown>>[]

/** The tables of which rows are kept: nearly every call asks them who calls, and what they may do where. */
const keptTables = [
  'access_tokens',
  'bases',
  'collaborators',
  'sessions',
  'spaces',
  'tables',
  'users',
] as const

/** Finds the name of one of them, wherever it stands: where a column of somebody's has it, rows are forgotten in vain. */
const namesKeptTable = new RegExp(`\\b(?:${keptTables.join('|')})\\b`, 'i')

/** Whether a statement that writes may change one of the tables of which rows are kept. */
export function changesKeptTables(sql: string): boolean {
  return namesKeptTable.test(sql)
}

/** What rows take beside their texts: an object for each, and one for the list. */
const bytesPerRow = 200

/**
 * Rows of a file that nobody else writes to, for questions that nearly every call asks again. They are of one state of the
 * tables: with a commit that changes one of these all are forgotten, before anybody hears that it was made. A
 * transaction takes and keeps rows only while the state that it shows is the present one.
 */
export class KeptRowsOfFile {
  #rows = emptyRows()
  /** A number for each text, of which the product has some: texts are long. */
  readonly #numbers = new Map<string, number>()
  #state = 0
  #commitsElsewhere = 0

  /** The present state of the tables; undefined while a commit is made on another thread, which may change them. */
  get state(): number | undefined {
    return this.#commitsElsewhere > 0 ? undefined : this.#state
  }

  get(sql: string, parameters: readonly unknown[]): KeptRows | undefined {
    return this.#rows.get(this.#keyOf(sql, parameters))
  }

  /** Keeps what a transaction that shows the present state was answered; not that there is nothing. */
  keep(sql: string, parameters: readonly unknown[], rows: KeptRows): void {
    if (rows.length === 0) return
    const key = this.#keyOf(sql, parameters)
    this.#rows.keep(key, rows, weightOf(rows) + 2 * key.length)
  }

  /** Forgets all: a commit has changed the tables. */
  forget(): void {
    this.#state++
    this.#rows = emptyRows()
  }

  /** Says that a commit begins on another thread; `endElsewhere` must follow. */
  beginElsewhere(): void {
    this.#commitsElsewhere++
  }

  endElsewhere(): void {
    this.#commitsElsewhere--
    this.forget()
  }

  #keyOf(sql: string, parameters: readonly unknown[]): string {
    let number = this.#numbers.get(sql)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(sql, number)
    }
    return `${number} ${JSON.stringify(parameters)}`
  }
}

function emptyRows(): WeightedCache<string, KeptRows> {
  return new WeightedCache(limits.keptRowBytes)
}

function weightOf(rows: KeptRows): number {
  let weight = bytesPerRow
  for (const row of rows) {
    weight += bytesPerRow
    for (const name in row) {
      const value = row[name]
      weight += valueSize + (typeof value === 'string' ? 2 * value.length : 0)
    }
  }
  return weight
}
