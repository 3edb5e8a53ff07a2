import type { UsageReader } from '@gateleg/domain/billing/usage-reader'
import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'
import { isLiving, systemColumns } from '../schemas/system-columns.ts'

/** Tables that one statement looks at. */
const tablesAtOnce = 50

interface TableName {
  readonly base_id: string
  readonly db_table_name: string
}

const tablesOf = prepared<{ spaceId: string }, TableName>((db, value) =>
  db
    .selectFrom('tables')
    .innerJoin('bases', 'bases.id', 'tables.base_id')
    .select(['tables.base_id', 'tables.db_table_name'])
    .where('bases.space_id', '=', value('spaceId'))
    .where('bases.deletion_id', 'is', null)
    .where('tables.deletion_id', 'is', null),
)

type Total = { readonly total: number | string | null }

const fileBytes = prepared<{ spaceId: string }, Total>((db, value) =>
  db
    .selectFrom('attachments')
    .select(({ fn }) => fn.sum<number | string | null>('size').as('total'))
    .where('space_id', '=', value('spaceId')),
)

const countCollaborators = prepared<{ spaceId: string; without: readonly string[] }, Total>(
  (db, value, dialect) =>
    db
      .selectFrom('collaborators')
      .select(({ fn }) => fn.count<number | string>('user_id').distinct().as('total'))
      .where(({ eb, not, selectFrom }) =>
        eb.and([
          eb.or([
            eb('resource_id', '=', value('spaceId')),
            eb(
              'resource_id',
              'in',
              selectFrom('bases')
                .select('bases.id')
                .where('space_id', '=', value('spaceId'))
                .where('deletion_id', 'is', null),
            ),
          ]),
          not(dialect.lists.isIn('user_id', value('without'))),
        ]),
      ),
)

const spaceOf = prepared<{ baseId: string }, { space_id: string }>((db, value) =>
  db.selectFrom('bases').select('space_id').where('id', '=', value('baseId')),
)

const highest = sql`select max(${sql.id(systemColumns.autoNumber.name)}) as n from`
const count = sql`select count(*) as n from`

export class SqlUsageReader implements UsageReader {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  recordsAtMost(spaceId: string): Promise<number> {
    return this.#addUp(spaceId, (table) => sql`${highest} ${table}`)
  }

  countRecords(spaceId: string): Promise<number> {
    return this.#addUp(spaceId, (table) => sql`${count} ${table} where ${isLiving}`)
  }

  async fileBytes(spaceId: string): Promise<number> {
    return Number((await this.#session.one(fileBytes, { spaceId })).total ?? 0)
  }

  async countCollaborators(spaceId: string, without: readonly string[] = []): Promise<number> {
    return Number((await this.#session.one(countCollaborators, { spaceId, without })).total ?? 0)
  }

  async spaceOf(baseId: string): Promise<string | undefined> {
    return (await this.#session.first(spaceOf, { baseId }))?.space_id
  }

  /** The sum of a number of each living table. */
  async #addUp(
    spaceId: string,
    numberIn: (table: RawBuilder<unknown>) => RawBuilder<unknown>,
  ): Promise<number> {
    const { tables } = this.#session.dialect
    const names = await this.#session.all(tablesOf, { spaceId })
    let sum = 0
    for (let start = 0; start < names.length; start += tablesAtOnce) {
      const numbers = names
        .slice(start, start + tablesAtOnce)
        .map((name) => numberIn(tables.named(name.base_id, name.db_table_name)))
      const all = sql.join(numbers, sql` union all `)
      const [row] = await this.#session.allOnce(
        sql<Total>`select sum(n) as total from (${all}) as numbers`,
      )
      sum += Number(row?.total ?? 0)
      await this.#session.giveWay()
    }
    return sum
  }
}
