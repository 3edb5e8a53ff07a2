import type { CountedPlace, UsageReader } from '@gateleg/domain/billing/usage-reader'
import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'
import { isLiving } from '../record-tables/is-living.ts'
import { physicalName } from '../record-tables/physical-name.ts'
import { systemColumns } from '../record-tables/system-columns.ts'

/** Tables that one statement looks at. */
const tablesAtOnce = 50

interface TableName {
  readonly base_id: string
  readonly physical_name: string
}

const tablesOf = prepared<{ spaceId: string }, TableName>((db, value) =>
  db
    .selectFrom('tables')
    .innerJoin('bases', 'bases.id', 'tables.base_id')
    .select(['tables.base_id', physicalName])
    .where('bases.space_id', '=', value('spaceId'))
    .where('bases.deletion_id', 'is', null)
    .where('tables.deletion_id', 'is', null),
)

const tablesIn = {
  table: prepared<{ id: string }, TableName>((db, value) =>
    db
      .selectFrom('tables')
      .select(['tables.base_id', physicalName])
      .where('tables.id', '=', value('id')),
  ),
  base: prepared<{ id: string }, TableName>((db, value) =>
    db
      .selectFrom('tables')
      .select(['tables.base_id', physicalName])
      .where('tables.base_id', '=', value('id'))
      .where('tables.deletion_id', 'is', null),
  ),
}

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

const livingIn = (table: RawBuilder<unknown>) => sql`${count} ${table} where ${isLiving}`

export class SqlUsageReader implements UsageReader {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async recordsAtMost(spaceId: string): Promise<number> {
    const names = await this.#session.all(tablesOf, { spaceId })
    return this.#addUp(names, (table) => sql`${highest} ${table}`)
  }

  async countRecords(spaceId: string): Promise<number> {
    return this.#addUp(await this.#session.all(tablesOf, { spaceId }), livingIn)
  }

  async countRecordsIn({ type, id }: CountedPlace): Promise<number> {
    return this.#addUp(await this.#session.all(tablesIn[type], { id }), livingIn)
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

  /** The sum of a number of each table. */
  async #addUp(
    names: readonly TableName[],
    numberIn: (table: RawBuilder<unknown>) => RawBuilder<unknown>,
  ): Promise<number> {
    const { tables } = this.#session.dialect
    let sum = 0
    for (let start = 0; start < names.length; start += tablesAtOnce) {
      const numbers = names
        .slice(start, start + tablesAtOnce)
        .map((name) => numberIn(tables.named(name.base_id, name.physical_name)))
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
