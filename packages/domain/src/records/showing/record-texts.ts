import { invalidAt } from '../../errors.ts'
import type { Cell, People } from '../../fields/cell.ts'
import { limits } from '../../limits.ts'
import type { Turns } from '../../use-case.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import type { FieldShown } from './fields-shown.ts'
import { lengthOfCell } from './long-outputs.ts'

/** Characters of the text of a cell after which others may have their turn. */
const longText = 8_192

/** The cells of a record as texts by the names of their members, and their characters together. */
interface TextMembers {
  readonly fields: Record<string, unknown>
  readonly length: number
}

/** The cells of records as people read them. */
export class RecordTexts {
  readonly #shown: readonly FieldShown[]
  readonly #people: People

  /** Takes the fields that are shown, and the people whom cells may name. */
  constructor(shown: readonly FieldShown[], people: People) {
    this.#shown = shown
    this.#people = people
  }

  /**
   * The texts of the cells that aren't empty. Stops wherever a long text has been made: others may have their turn. Throws
   * validation_error for a record whose texts are longer together than one may be.
   */
  *membersOf(record: StoredRecord): Generator<void, TextMembers> {
    const fields: Record<string, unknown> = {}
    let length = 0
    for (const field of this.#shown) {
      const cell = cellOf(field.schemaField, record)
      if (cell === null) continue
      const text = this.#textOf(field, cell)
      fields[field.key] = text
      length += field.keyBytes + text.length
      if (length > limits.textRecordLength) throw tooLong()
      if (text.length >= longText) yield
    }
    return { fields, length }
  }

  /** The texts in the order of the fields, '' for empty cells; in turns with all other work where they are long. */
  textsOf(turns: Turns, record: StoredRecord): readonly string[] | Promise<readonly string[]> {
    let length = 0
    for (const cell of record.cells) if (cell !== null) length += lengthOfCell(cell)
    if (length >= longText) return this.#longTextsOf(turns, record)
    return this.#shown.map((field) => {
      const cell = cellOf(field.schemaField, record)
      return cell === null ? '' : this.#textOf(field, cell)
    })
  }

  async #longTextsOf(turns: Turns, record: StoredRecord): Promise<readonly string[]> {
    const { fields } = await inTurns(turns, this.membersOf(record))
    return this.#shown.map(({ key }) => (fields[key] as string | undefined) ?? '')
  }

  #textOf({ schemaField, toNames }: FieldShown, cell: Cell): string {
    return toNames ? toNames(cell) : schemaField.rules.format(cell, this.#people)
  }
}

/** What the generator returns, without a stop. */
export function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** What the generator returns; others have their turn wherever it stops. */
export async function inTurns<Result>(
  turns: Turns,
  steps: Generator<void, Result>,
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await turns.giveWay()
  }
}

function tooLong() {
  const most = `a record may have ${limits.textRecordLength} characters as text, and one has more`
  return invalidAt(['cellFormat'], `${most}: name fewer fields by projection, or ask for json`)
}
