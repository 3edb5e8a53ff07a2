import type { Role } from '@gateleg/domain/access/roles'
import type { Deletion } from '@gateleg/domain/trash/deletion'
import type { TrashEntry, TrashedType } from '@gateleg/domain/trash/trash-entry'
import type {
  TrashedPlaces,
  TrashedThing,
  TrashPage,
  TrashRepository,
} from '@gateleg/domain/trash/trash-repository'
import type { SelectQueryBuilder } from 'kysely'
import { prepared, type QueryBuilder } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { foundBefore } from '../core/statements/found-before.ts'
import type { Database } from '../metadata/database-schema.ts'
import { type TrashEntryRow, trashEntryColumns } from '../metadata/tables/trash-entry-table.ts'

function find(lock: 'none' | 'update') {
  return prepared<{ id: string }, TrashEntryRow>((db, value, dialect) =>
    db
      .selectFrom('trash_entries')
      .selectAll()
      .where('id', '=', value('id'))
      .where('is_purged', '=', false)
      .modifyEnd(dialect.locks.clause(lock, 'trash_entries')),
  )
}

const findQueries = { none: find('none'), update: find('update') }

const findAll = prepared<{ ids: readonly string[] }, TrashEntryRow>((db, value, dialect) =>
  db
    .selectFrom('trash_entries')
    .selectAll()
    .where(dialect.lists.isIn('id', value('ids')))
    .where(foundBefore<boolean>('is_purged'), '=', false)
    .orderBy('id'),
)

const deletionsIn = prepared<{ ids: readonly string[] }, Deletion>((db, value, dialect) =>
  db
    .selectFrom('trash_entries')
    .select(['id as operationId', 'deleted_time as time', 'deleted_by as userId'])
    .where(dialect.lists.isIn('id', value('ids')))
    .where(foundBefore<boolean>('is_purged'), '=', false),
)

type Entries = SelectQueryBuilder<Database, 'trash_entries', TrashEntryRow>

/** Newest first, ties by id; so many after a place. */
function inOrder(entries: Entries, { after, take }: TrashPage): Entries {
  const ordered = entries
    .where('trash_entries.is_purged', '=', false)
    .orderBy('trash_entries.deleted_time', 'desc')
    .orderBy('trash_entries.id', 'desc')
    .limit(take)
  if (!after) return ordered
  return ordered.where(({ eb, or, and }) =>
    or([
      eb('trash_entries.deleted_time', '<', after.deletedTime),
      and([
        eb('trash_entries.deleted_time', '=', after.deletedTime),
        eb('trash_entries.id', '<', after.id),
      ]),
    ]),
  )
}

const insert = insertInto('trash_entries', trashEntryColumns)

const remove = deleteFrom('trash_entries', 'id')

const discard = prepared<{ ids: readonly string[] }, unknown>((db, value, dialect) =>
  db
    .updateTable('trash_entries')
    .set({ is_purged: true })
    .where(dialect.lists.isIn('id', value('ids'))),
)

const discardAll = prepared<{ placeId: string }, unknown>((db, value) =>
  db
    .updateTable('trash_entries')
    .set({ is_purged: true })
    .where('place_id', '=', value('placeId'))
    .where('is_purged', '=', false),
)

const discardOlder = prepared<{ before: string; most: number }, unknown>((db, value) =>
  db
    .updateTable('trash_entries')
    .set({ is_purged: true })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('trash_entries')
        .select('id')
        .where('is_purged', '=', false)
        .where('deleted_time', '<', value('before'))
        .orderBy('deleted_time')
        .orderBy('id')
        .limit(value('most')),
    ),
)

const keepOnly = prepared<{ id: string; resourceIds: string }, unknown>((db, value) =>
  db
    .updateTable('trash_entries')
    .set({ resource_ids: value('resourceIds') })
    .where('id', '=', value('id')),
)

const nextDiscarded = prepared<{ skip: number }, TrashEntryRow>((db, value) =>
  db
    .selectFrom('trash_entries')
    .selectAll()
    .where('is_purged', '=', true)
    .orderBy('deleted_time')
    .orderBy('id')
    .limit(1)
    .offset(value('skip')),
)

/** What a table tells of those of its rows that have the ids, deleted ones too. */
function describe(table: keyof Database, columns: readonly string[]) {
  return prepared<{ ids: readonly string[] }, DescribedRow>(
    (db, value, dialect) =>
      db
        .selectFrom(table as 'tables')
        .select(['id', 'name', ...columns] as never)
        .where(dialect.lists.isIn('id', value('ids'))) as never,
  )
}

interface DescribedRow {
  readonly id: string
  readonly name: string
  readonly space_id?: string
  readonly type?: string
  readonly is_lookup?: boolean | number
}

const describeQueries = {
  space: describe('spaces', []),
  base: describe('bases', ['space_id']),
  table: describe('tables', []),
  dashboard: describe('dashboards', []),
  workflow: describe('workflows', []),
  view: describe('views', ['type']),
  field: describe('fields', ['type', 'is_lookup']),
}

export class SqlTrashRepository implements TrashRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: 'none' | 'update'): Promise<TrashEntry | undefined> {
    const row = await this.#session.first(findQueries[lock], { id })
    return row && toEntry(row)
  }

  async findAll(ids: readonly string[]): Promise<readonly TrashEntry[]> {
    return ids.length === 0 ? [] : (await this.#session.all(findAll, { ids })).map(toEntry)
  }

  async deletionsIn(ids: readonly string[]): Promise<readonly Deletion[]> {
    return ids.length === 0 ? [] : this.#session.all(deletionsIn, { ids })
  }

  async listOf(placeId: string, page: TrashPage): Promise<readonly TrashEntry[]> {
    const entries = entriesOf(this.#session.db).where('trash_entries.place_id', '=', placeId)
    return this.#list(inOrder(entries, page))
  }

  async listSpaces({ userId, roles, reach }: TrashedPlaces, page: TrashPage) {
    const entries = entriesOf(this.#session.db)
      .where('trash_entries.resource_type', '=', 'space')
      .where('trash_entries.place_id', 'in', (eb) =>
        eb
          .selectFrom('collaborators')
          .select('resource_id')
          .where('user_id', '=', userId)
          .where('role', 'in', roles as readonly Role[]),
      )
    const { lists } = this.#session.dialect
    const reached = reach
      ? entries.where(lists.isIn('trash_entries.place_id', reach.spaceIds))
      : entries
    return this.#list(inOrder(reached, page))
  }

  async listBases(
    { userId, roles, reach, spaceId }: TrashedPlaces & { readonly spaceId?: string | undefined },
    page: TrashPage,
  ): Promise<readonly TrashEntry[]> {
    const { db, dialect } = this.#session
    const places = db
      .selectFrom('collaborators')
      .select('resource_id')
      .where('user_id', '=', userId)
      .where('role', 'in', roles as readonly Role[])
    let entries = entriesOf(db)
      .innerJoin('bases', 'bases.deletion_id', 'trash_entries.id')
      .innerJoin('spaces', 'spaces.id', 'bases.space_id')
      .where('spaces.deletion_id', 'is', null)
      .where(({ eb, or }) => or([eb('bases.id', 'in', places), eb('bases.space_id', 'in', places)]))
    if (spaceId !== undefined) entries = entries.where('bases.space_id', '=', spaceId)
    if (reach) {
      entries = entries.where(({ or }) =>
        or([
          dialect.lists.isIn('bases.space_id', reach.spaceIds),
          dialect.lists.isIn('bases.id', reach.baseIds),
        ]),
      )
    }
    return this.#list(inOrder(entries as unknown as Entries, page))
  }

  async describe(
    type: Exclude<TrashedType, 'record'>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, TrashedThing>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#session.all(describeQueries[type], { ids })
    return new Map(rows.map((row) => [row.id, toThing(row)]))
  }

  async add(
    { operationId, time, userId }: Deletion,
    what: Pick<TrashEntry, 'placeId' | 'resourceType' | 'resourceIds'>,
  ): Promise<void> {
    const mark = { id: operationId, deletedTime: time, deletedBy: userId, isPurged: false }
    await this.#session.run(insert, trashEntryColumns.toRow({ ...mark, ...what }))
  }

  async remove(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async discard(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#session.run(discard, { ids })
  }

  async discardAll(placeId: string): Promise<number> {
    return this.#session.run(discardAll, { placeId })
  }

  async discardOlder(before: string, most: number): Promise<number> {
    return this.#session.run(discardOlder, { before, most })
  }

  async keepOnly(id: string, resourceIds: readonly string[]): Promise<void> {
    await this.#session.run(keepOnly, { id, resourceIds: JSON.stringify(resourceIds) })
  }

  async nextDiscarded(skip: number): Promise<TrashEntry | undefined> {
    const row = await this.#session.first(nextDiscarded, { skip })
    return row && toEntry(row)
  }

  async #list(entries: Entries): Promise<readonly TrashEntry[]> {
    return (await this.#session.allOnce(entries)).map(toEntry)
  }
}

function entriesOf(db: QueryBuilder) {
  return db.selectFrom('trash_entries').selectAll('trash_entries')
}

function toEntry(row: TrashEntryRow): TrashEntry {
  const { isPurged: _, ...entry } = trashEntryColumns.toEntity(row)
  return entry
}

function toThing({ id, name, space_id, type, is_lookup }: DescribedRow): TrashedThing {
  return {
    id,
    name,
    ...(space_id !== undefined && { spaceId: space_id }),
    ...(type !== undefined && { type }),
    ...(is_lookup !== undefined && { isLookup: Boolean(is_lookup) }),
  }
}
