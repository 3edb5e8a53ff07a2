import { limits } from '@gateleg/domain/limits'
import { WeightedCache } from '@gateleg/domain/structures/weighted-cache'
import { rowSize } from '@gateleg/sql/core/connection'
import pg from 'pg'

/** A row as a statement answers it; who is given it must not change it. */
export type FoundRow = Readonly<Record<string, unknown>>

/** The only row that a question was answered with, and the text that PostgreSQL makes of it. */
interface ExpectedRow {
  readonly row: FoundRow
  readonly text: unknown
}

/** The texts of a question, and a number for it. */
interface Question {
  readonly number: number
  /** Asks for the text of each row as well, in a column of its own. */
  readonly asking: string
  /** Fails where the question isn't answered with the row of the text, which is bound behind the values. */
  readonly comparing: string
}

/** The column in which a row's text comes along. */
export const textColumn = 'row_text'

/** What an entry takes beside its row and its key. */
const bytesPerEntry = 400

/** What a text is refused with that isn't the number that it was taken for. */
const notANumber = '22P02'

/**
 * Rows that answer what nearly every call asks: who calls, and what they may do where. Others may change them at any time, so a
 * transaction that goes on with one has PostgreSQL compare it meanwhile, and comes to nothing where it is another one by now.
 */
export class ExpectedRows {
  #rows = emptyRows()
  /** Of each text that the product asks, of which there are some: they are long. */
  readonly #questions = new Map<string, Question>()
  /** Never used again: whoever has an old question still must not find the row of another one. */
  #lastNumber = 0

  /** Undefined until it has been answered once. */
  questionOf(sql: string): Question | undefined {
    return this.#questions.get(sql)
  }

  /** Takes note of the columns with which it is answered. */
  noteAnswer(sql: string, row: FoundRow | undefined): void {
    if (!row || this.#questions.has(sql)) return
    const text = textOf(Object.keys(row))
    const question = { asking: asking(sql, text), comparing: comparing(sql, text) }
    this.#questions.set(sql, { number: ++this.#lastNumber, ...question })
  }

  /** By what the row is kept that answers the question with these values. */
  keyOf({ number }: Question, parameters: readonly unknown[]): string {
    return `${number} ${JSON.stringify(parameters)}`
  }

  find(key: string): ExpectedRow | undefined {
    return this.#rows.get(key)
  }

  keep(key: string, expected: ExpectedRow): void {
    const { row, text } = expected
    const weight = bytesPerEntry + 2 * (key.length + rowSize([...Object.values(row), text]))
    this.#rows.keep(key, expected, weight)
  }

  forget(key: string): void {
    this.#rows.forget(key)
  }

  /** Forgets all questions: the tables that they ask may have other columns than they had. */
  forgetAll(): void {
    this.#questions.clear()
    this.#rows = emptyRows()
  }
}

function emptyRows(): WeightedCache<string, ExpectedRow> {
  return new WeightedCache(limits.keptRowBytes)
}

/** Whether the statement that compares was refused because the row is another one. */
export function isOfOtherRow(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof pg.DatabaseError && cause.code === notANumber
}

function asking(sql: string, text: string): string {
  return `select "found".*, ${text} as "${textColumn}" from (${sql}) as "found"`
}

/**
 * Of the failures that a statement can cause without a function of its own, one that nothing else in it can have. What fails
 * depends on the row, or it would be worked out, and fail, before there is any.
 */
function comparing(sql: string, text: string): string {
  const place = `$${1 + placesIn(sql)}`
  const other = `'another row than before' || coalesce(left("row"."text", 0), '')`
  const same = `cast(case when "row"."text" = ${place} then '1' else ${other} end as integer)`
  return `select ${same} as "same" from (values (1)) as "one" left join (select ${text} as "text" from (${sql}) as "found") as "row" on true`
}

/** Names the columns one by one: whole rows aren't taken for values everywhere. */
function textOf(columns: readonly string[]): string {
  return `row(${columns.map((column) => `"found"."${column}"`).join()})::text`
}

/** How many values are bound: the highest number of a place. */
function placesIn(sql: string): number {
  let most = 0
  for (const [, number] of sql.matchAll(/\$(\d+)/g)) most = Math.max(most, Number(number))
  return most
}
