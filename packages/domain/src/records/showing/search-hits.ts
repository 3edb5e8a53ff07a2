import { z } from 'zod'
import type { People } from '../../fields/cell.ts'
import type { Search } from '../../queries/search.ts'
import { shownText } from '../../queries/shown-text.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { findPeopleShown } from '../reading/find-people-shown.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { lengthOfCell } from './long-outputs.ts'
import { mapInTurns } from './map-in-turns.ts'

/** A field in which a record shows what is searched, as callers see it. */
export const searchHitOutput = z
  .object({
    recordId: z.string().describe('The id of the record'),
    fieldId: z.string().describe('The id of the field'),
  })
  .meta({ id: 'SearchHit' })

/** A field in which a record shows what is searched, as callers see it. */
export type SearchHit = z.output<typeof searchHitOutput>

type AnsweredRecord = Pick<StoredRecord, 'id'>

/** Whether what is shown of the record's cell in the field has the text in it, which is folded. */
export function shows(
  field: SchemaField,
  record: StoredRecord,
  text: string,
  people: Pick<People, 'name'>,
): boolean {
  const { form } = field.rules
  const cell = cellOf(field, record)
  return cell !== null && form.item.kind !== 'press' && shownText(form, cell, people).includes(text)
}

/** Characters of text that could be gone through in the time that it takes to look at a cell. */
const lengthPerCell = 50

/** The characters of the cells that are looked at, roughly. */
function lengthOf(record: StoredRecord, fields: readonly SchemaField[]): number {
  let length = 0
  for (const field of fields) length += lengthPerCell + lengthOfCell(cellOf(field, record) ?? '')
  return length
}

/** Finds what a search hits in records that are read anyway. */
export class SearchHits {
  /** Bytes of a hit as JSON, and of what holds it in memory. */
  static readonly bytesOfHit = 96
  readonly #tx: ReadTx
  readonly #search: Search
  readonly #hits = new Map<string, readonly SchemaField[]>()

  constructor(tx: ReadTx, search: Search) {
    this.#tx = tx
    this.#search = search
  }

  /** Looks at the records, in turns with all other work. */
  async lookAt(records: readonly StoredRecord[]): Promise<void> {
    const { fields, text } = this.#search
    const people = await findPeopleShown(this.#tx, { kind: 'shows', fields, text }, records)
    const hits = await mapInTurns(
      this.#tx,
      records,
      (record) => fields.filter((field) => shows(field, record, text, people)),
      (record) => lengthOf(record, fields),
    )
    for (const [index, { id }] of records.entries()) this.#hits.set(id, hits[index] ?? [])
  }

  /** In how many fields the record shows what is searched; it was looked at. */
  countOf({ id }: AnsweredRecord): number {
    return this.#hits.get(id)?.length ?? 0
  }

  /** These fields, as callers see them. */
  of({ id: recordId }: AnsweredRecord): SearchHit[] {
    const fields = this.#hits.get(recordId) ?? []
    return fields.map(({ field }) => ({ recordId, fieldId: field.id }))
  }
}
