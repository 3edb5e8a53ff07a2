import type { KeptValueRepository, KeptValues } from '@gateleg/domain/undo/kept-value-repository'
import { prepared } from '../core/database.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import {
  type KeptPartRow,
  type KeptValueRow,
  keptValueColumns,
} from '../metadata/tables/kept-value-table.ts'

const insert = insertInto('kept_values', keptValueColumns)

const find = prepared<{ id: string }, KeptValueRow>((db, value) =>
  db.selectFrom('kept_values').selectAll().where('id', '=', value('id')),
)

const listOf = prepared<{ tableId: string }, KeptValueRow>((db, value) =>
  db
    .selectFrom('kept_values')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .orderBy('expires_time')
    .orderBy('id'),
)

const listExpired = prepared<{ before: string; most: number }, KeptValueRow>((db, value) =>
  db
    .selectFrom('kept_values')
    .selectAll()
    .where('expires_time', '<', value('before'))
    .orderBy('expires_time')
    .orderBy('id')
    .limit(value('most')),
)

const noteCounted = prepared<{ id: string; counted: number | null }, unknown>((db, value) =>
  db
    .updateTable('kept_values')
    .set({ counted_number: value('counted') })
    .where('id', '=', value('id')),
)

const putPart = prepared<KeptPartRow, unknown>((db, value) =>
  db
    .insertInto('kept_parts')
    .values({ id: value('id'), number: value('number'), content: value('content') })
    .onConflict((conflict) =>
      conflict
        .columns(['id', 'number'])
        .doUpdateSet((eb) => ({ content: eb.ref('excluded.content') })),
    ),
)

const partOf = prepared<{ id: string; number: number }, Pick<KeptPartRow, 'content'>>((db, value) =>
  db
    .selectFrom('kept_parts')
    .select('content')
    .where('id', '=', value('id'))
    .where('number', '=', value('number')),
)

const removals = (['kept_parts', 'kept_values'] as const).map((table) =>
  prepared<{ ids: readonly string[] }, unknown>((db, value, dialect) =>
    db.deleteFrom(table).where(dialect.lists.isIn('id', value('ids'))),
  ),
)

export class SqlKeptValueRepository implements KeptValueRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async add(kept: KeptValues): Promise<void> {
    const all = { columnName: undefined, counted: undefined, ...kept }
    await this.#session.run(insert, keptValueColumns.toRow(all))
  }

  async find(id: string): Promise<KeptValues | undefined> {
    const row = await this.#session.first(find, { id })
    return row && toKept(row)
  }

  async listOf(tableId: string): Promise<readonly KeptValues[]> {
    return (await this.#session.all(listOf, { tableId })).map(toKept)
  }

  async listExpired(before: string, most: number): Promise<readonly KeptValues[]> {
    return (await this.#session.all(listExpired, { before, most })).map(toKept)
  }

  async noteCounted(id: string, counted: number | undefined): Promise<void> {
    await this.#session.run(noteCounted, { id, counted: counted ?? null })
  }

  async putPart(id: string, number: number, content: string): Promise<void> {
    await this.#session.run(putPart, { id, number, content })
  }

  async partOf(id: string, number: number): Promise<string | undefined> {
    return (await this.#session.first(partOf, { id, number }))?.content
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    for (const removal of removals) await this.#session.run(removal, { ids })
  }
}

function toKept(row: KeptValueRow): KeptValues {
  const { counted, ...kept } = keptValueColumns.toEntity(row)
  return { ...kept, counted: counted === undefined ? undefined : Number(counted) }
}
