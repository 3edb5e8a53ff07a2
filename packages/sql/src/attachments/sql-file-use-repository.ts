import type {
  FileTable,
  FileUseRepository,
  TablePage,
} from '@gateleg/domain/attachments/file-use-repository'
import type { NumberRange } from '@gateleg/domain/records/stored/number-range'
import { sql } from 'kysely'
import { prepared } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'
import { isAnyFilled } from '../core/statements/is-any-filled.ts'
import { physicalName } from '../record-tables/physical-name.ts'
import { systemColumns } from '../record-tables/system-columns.ts'

type FoundTable = { id: string; base_id: string; physical_name: string }

const tablesAfter = prepared<{ id: string; most: number }, FoundTable>((db, value) =>
  db
    .selectFrom('tables')
    .select(['id', 'base_id', physicalName])
    .where('id', '>', value('id'))
    .orderBy('id')
    .limit(value('most')),
)

const tablesIn = prepared<{ baseId: string }, FoundTable>((db, value) =>
  db
    .selectFrom('tables')
    .select(['id', 'base_id', physicalName])
    .where('base_id', '=', value('baseId'))
    .orderBy('id'),
)

const tableOf = prepared<{ id: string }, FoundTable>((db, value) =>
  db.selectFrom('tables').select(['id', 'base_id', physicalName]).where('id', '=', value('id')),
)

const fileColumnsOf = prepared<
  { ids: readonly string[] },
  { table_id: string; column_name: string | null }
>((db, value, dialect) =>
  db
    .selectFrom('fields')
    .select(['table_id', 'column_name'])
    .where(dialect.lists.isIn('table_id', value('ids')))
    .where('type', '=', 'attachment')
    .where('column_name', 'is not', null),
)

const noteUsed = prepared<{ tokens: readonly string[]; time: string }, unknown>(
  (db, value, dialect) =>
    db
      .updateTable('attachments')
      .set({ attached_time: value('time') })
      .where(dialect.lists.isIn('token', value('tokens')))
      .where('attached_time', '<', value('time')),
)

const removeUnnoted = prepared<{ before: string; again: string; most: number }, unknown>(
  (db, value) =>
    db
      .deleteFrom('attachments')
      .where('attached_time', '<', value('again'))
      .where('token', 'in', (eb) =>
        eb
          .selectFrom('attachments')
          .select('token')
          .where('attached_time', '<', value('before'))
          .orderBy('attached_time')
          .limit(value('most')),
      ),
)

const number = sql.id(systemColumns.autoNumber.name)

export class SqlFileUseRepository implements FileUseRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async tablesAfter(id: string, most: number): Promise<TablePage> {
    const found = await this.#session.all(tablesAfter, { id, most })
    return { tables: await this.#withColumns(found), last: found.at(-1)?.id }
  }

  async tablesIn(baseId: string): Promise<readonly FileTable[]> {
    return this.#withColumns(await this.#session.all(tablesIn, { baseId }))
  }

  async findTable(id: string): Promise<FileTable | undefined> {
    const [table] = await this.#withColumns(await this.#session.all(tableOf, { id }))
    return table
  }

  async tokensIn(
    { baseId, physicalName, columnNames }: FileTable,
    { after, until }: NumberRange,
  ): Promise<readonly string[]> {
    const { tables } = this.#session.dialect
    const rows = tables.named(baseId, physicalName)
    const columns = columnNames.map((name) => sql.id(name))
    const found = await this.#session.allOnce(
      sql<
        Record<string, unknown>
      >`select ${sql.join(columns)} from ${rows} where ${number} > ${after} and ${number} <= ${until} and ${isAnyFilled(columns)}`,
    )
    return [...new Set(found.flatMap((row) => Object.values(row).flatMap(tokensOf)))]
  }

  async noteUsed(tokens: readonly string[], time: string): Promise<void> {
    if (tokens.length > 0) await this.#session.run(noteUsed, { tokens, time })
  }

  async removeUnnoted(before: string, most: number): Promise<number> {
    return this.#session.run(removeUnnoted, { before, again: before, most })
  }

  async #withColumns(found: readonly FoundTable[]): Promise<readonly FileTable[]> {
    if (found.length === 0) return []
    const ids = found.map(({ id }) => id)
    const columns = await this.#session.all(fileColumnsOf, { ids })
    const byTable = Map.groupBy(columns, ({ table_id }) => table_id)
    return found.flatMap(({ id, base_id: baseId, physical_name }) => {
      const columnNames = byTable.get(id)?.flatMap(({ column_name }) => column_name ?? [])
      return columnNames ? [{ id, baseId, physicalName: physical_name, columnNames }] : []
    })
  }
}

/** The tokens that a stored cell names; a lookup has lists within its list. */
function tokensOf(stored: unknown): readonly string[] {
  if (stored === null) return []
  const items: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored
  return [items].flat(3).flatMap((item) => {
    const token = (item as { readonly token?: unknown } | null)?.token
    return typeof token === 'string' ? [token] : []
  })
}
