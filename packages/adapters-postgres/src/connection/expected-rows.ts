import { limits } from '@gateleg/domain/limits'
import { WeightedCache } from '@gateleg/domain/structures/weighted-cache'
import { rowSize } from '@gateleg/sql/core/connection'
import pg from 'pg'

/** A row as a statement answers it; who is given it must not change it. */
export type FoundRow = Readonly<Record<string, unknown>>

/** The only row that a question was answered with, and the digest by which PostgreSQL knows it again. */
interface ExpectedRow {
  readonly row: FoundRow
  readonly digest: unknown
}

/** The texts of a question, and a number for it. */
interface Question {
  readonly number: number
  /** Asks for the digest of each row as well, in a column of its own. */
  readonly asking: string
  /** Fails where the question isn't answered with one row of the digest, which is bound behind the values. */
  readonly comparing: string
}

/** The column in which a row's digest comes along. */
export const digestColumn = 'row_digest'

/** What an entry takes beside its row and its key. */
const bytesPerEntry = 400

/** What a text is refused with that isn't the number that it was taken for. */
const notANumber = '22P02'

/**
 * Rows that answer what nearly every call asks: who calls, and what they may do where. Others may change them at any time, so a
 * transaction that goes on with one has PostgreSQL compare it meanwhile, and comes to nothing where it is another one by now.
 */
export class ExpectedRows {
  readonly #rows = new WeightedCache<string, ExpectedRow>(limits.keptRowBytes)
  /** Of each text that the product asks, of which there are some: they are long. */
  readonly #questions = new Map<string, Question>()

  /** Undefined until it has been answered once. */
  questionOf(sql: string): Question | undefined {
    return this.#questions.get(sql)
  }

  /** Takes note of the columns with which it is answered. */
  noteAnswer(sql: string, row: FoundRow | undefined): void {
    if (!row || this.#questions.has(sql)) return
    const digest = digestOf(Object.keys(row))
    const question = { asking: asking(sql, digest), comparing: comparing(sql, digest) }
    this.#questions.set(sql, { number: this.#questions.size, ...question })
  }

  /** By what the row is kept that answers the question with these values. */
  keyOf({ number }: Question, parameters: readonly unknown[]): string {
    return `${number} ${JSON.stringify(parameters)}`
  }

  find(key: string): ExpectedRow | undefined {
    return this.#rows.get(key)
  }

  keep(key: string, expected: ExpectedRow): void {
    const weight = bytesPerEntry + 2 * (key.length + rowSize(Object.values(expected.row)))
    this.#rows.keep(key, expected, weight)
  }

  forget(key: string): void {
    this.#rows.forget(key)
  }
}

/** Whether the statement that compares was refused because the row is another one. */
export function isOfOtherRow(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof pg.DatabaseError && cause.code === notANumber
}

function asking(sql: string, digest: string): string {
  return `select "found".*, ${digest} as "${digestColumn}" from (${sql}) as "found"`
}

/** Of the failures that a statement can cause without a function of its own, one that nothing else in it can have. */
function comparing(sql: string, digest: string): string {
  const place = `$${1 + placesIn(sql)}`
  return `select cast(case when count(*) = 1 and max("digest") = ${place} then '1' else 'another row than before: ' || coalesce(max("digest"), 'none') end as integer) as "same" from (select ${digest} as "digest" from (${sql}) as "found") as "digests"`
}

/** Names the columns one by one: whole rows aren't taken for values everywhere. */
function digestOf(columns: readonly string[]): string {
  const values = columns.map((column) => `"found"."${column}"`).join()
  return `encode(sha256(convert_to(row(${values})::text, 'UTF8')), 'hex')`
}

/** How many values are bound: the highest number of a place. */
function placesIn(sql: string): number {
  let most = 0
  for (const [, number] of sql.matchAll(/\$(\d+)/g)) most = Math.max(most, Number(number))
  return most
}
