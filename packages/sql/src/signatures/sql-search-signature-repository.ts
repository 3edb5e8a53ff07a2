import { type Numbers, parseRanges } from '@gateleg/domain/indexes/number-ranges'
import type {
  NotedChange,
  SearchSignatureRepository,
  SignatureHead,
} from '@gateleg/domain/indexes/search-signature-repository'
import type { Segment } from '@gateleg/domain/indexes/trigrams'
import { toBase64 } from '@gateleg/domain/values/bytes/base64'
import { sql } from 'kysely'
import { prepared } from '../core/database.ts'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import { saveInto } from '../core/own-tables/insert-row.ts'
import { ownTable } from '../core/own-tables/own-table.ts'
import type { SqlSession } from '../core/session.ts'
import { nameList } from '../core/statements/column-lists.ts'
import { inChunks } from '../core/statements/in-chunks.ts'
import { StatementTexts } from '../core/statements/statement-texts.ts'
import {
  type SearchChangeRow,
  type SearchHeadRow,
  searchHeadColumns,
} from '../metadata/tables/signature-tables.ts'
import { noteChangedRanges } from './note-changes.ts'

type OfTable = { readonly tableId: string }

const headOf = prepared<OfTable, SearchHeadRow>((db, value) =>
  db.selectFrom('search_heads').selectAll().where('table_id', '=', value('tableId')),
)

const saveHead = saveInto('search_heads', searchHeadColumns, 'table_id')

const findChanges = prepared<OfTable & { most: number }, Omit<SearchChangeRow, 'table_id'>>(
  (db, value) =>
    db
      .selectFrom('search_changes')
      .select(['id', 'numbers'])
      .where('table_id', '=', value('tableId'))
      .limit(value('most')),
)

const forgetChanges = prepared<{ ids: readonly string[] }, unknown>((db, value, dialect) =>
  db.deleteFrom('search_changes').where(dialect.lists.isIn('id', value('ids'))),
)

const firstSlot = prepared<OfTable, { slot: number }>((db, value) =>
  db
    .selectFrom('search_segments')
    .select('slot')
    .where('table_id', '=', value('tableId'))
    .orderBy('slot')
    .limit(1),
)

const removeSlots = prepared<OfTable & { before: number }, unknown>((db, value) =>
  db
    .deleteFrom('search_segments')
    .where('table_id', '=', value('tableId'))
    .where('slot', '<', value('before')),
)

const removeHead = prepared<OfTable, unknown>((db, value) =>
  db.deleteFrom('search_heads').where('table_id', '=', value('tableId')),
)

const removeChanges = prepared<OfTable, unknown>((db, value) =>
  db.deleteFrom('search_changes').where('table_id', '=', value('tableId')),
)

/** Slots that are removed at once: some ten milliseconds where a table has a million records. */
const slotsRemoved = 16

const segmentColumns: readonly TypedColumn[] = [
  { name: 'table_id', type: 'TEXT' },
  { name: 'slot', type: 'INTEGER' },
  { name: 'segment', type: 'INTEGER' },
  { name: 'bits', type: 'TEXT' },
]

export class SqlSearchSignatureRepository implements SearchSignatureRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async headOf(tableId: string): Promise<SignatureHead | undefined> {
    const row = await this.#session.first(headOf, { tableId })
    return row && searchHeadColumns.toEntity(row)
  }

  async saveHead(head: SignatureHead): Promise<void> {
    await this.#session.run(saveHead, searchHeadColumns.toRow(head))
  }

  async saveSegment(tableId: string, number: number, segment: Segment): Promise<void> {
    const { connection, dialect } = this.#session
    const slots = Array.from({ length: segment.slots }, (_, slot) => slot)
    const texts = new StatementTexts(dialect, 'search segments')
    await inChunks(dialect, slots, segmentColumns.length, async (chunk) => {
      const text = texts.of(`put ${dialect.rows.shape(chunk.length)}`, () => {
        const table = ownTable(dialect, 'search_segments')
        const names = nameList(segmentColumns)
        const values = sql`select ${names} from ${dialect.rows.table('v', segmentColumns, chunk.length)}`
        return sql`insert into ${table} (${names}) ${values} where true on conflict (table_id, slot, segment) do update set bits = excluded.bits`
      })
      const rows = chunk.map((slot) => [tableId, slot, number, toBase64(segment.bitsOf(slot))])
      await connection.run(text, dialect.rows.bind(segmentColumns, rows))
    })
  }

  async changesOf(tableId: string, most: number): Promise<readonly NotedChange[]> {
    const rows = await this.#session.all(findChanges, { tableId, most })
    return rows.map(({ id, numbers }) => ({ id, numbers: parseRanges(numbers) }))
  }

  async replaceChanges(
    tableId: string,
    ids: readonly string[],
    numbers: readonly Numbers[],
  ): Promise<void> {
    if (ids.length > 0) await this.#session.run(forgetChanges, { ids })
    await noteChangedRanges(this.#session, tableId, numbers)
  }

  async removeSome(tableId: string): Promise<boolean> {
    const first = await this.#session.first(firstSlot, { tableId })
    if (first) {
      await this.#session.run(removeSlots, { tableId, before: first.slot + slotsRemoved })
      return true
    }
    await this.#session.run(removeChanges, { tableId })
    await this.#session.run(removeHead, { tableId })
    return false
  }
}
