import type { Lock } from '@gateleg/domain/access/lock'
import { columnOf } from '@gateleg/domain/fields/column-of'
import type { Field } from '@gateleg/domain/fields/field'
import type { TableRepository, TableSettings } from '@gateleg/domain/schemas/table-repository'
import type { SearchIndexChoice, Table } from '@gateleg/domain/tables/table'
import type { Deleted, DeletedPage, Deletion } from '@gateleg/domain/trash/deletion'
import { prepared, type QueryBuilder } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { markDeletedIn, noDeletion, readDeletedIn } from '../core/own-tables/deletion-mark.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { dropLinkTable } from '../links/link-statements.ts'
import { type TableRow, tableColumns } from '../metadata/tables/table-table.ts'
import { keptByUsers } from '../pins/kept-by-users.ts'
import { FieldColumns } from '../record-tables/field-columns.ts'
import { insertFieldRows } from './sql-field-repository.ts'
import { SqlTableRebuildRepository } from './sql-table-rebuild-repository.ts'

type Ids = { ids: readonly string[] }

/** Holds rows in the order of their ids. What they say is read after, once nobody else holds them any more. */
function hold(lock: Exclude<Lock, 'none'>) {
  return prepared<Ids, { id: string }>((db, value, dialect) =>
    db
      .selectFrom('tables')
      .select('id')
      .where(dialect.lists.isIn('id', value('ids')))
      .orderBy('id')
      .modifyEnd(dialect.locks.clause(lock, 'tables')),
  )
}

const holdQueries = { share: hold('share'), update: hold('update') }

const findAll = prepared<Ids, TableRow>((db, value, dialect) =>
  db
    .selectFrom('tables')
    .innerJoin('bases', 'bases.id', 'tables.base_id')
    .selectAll('tables')
    .where(dialect.lists.isIn('tables.id', value('ids')))
    .where('tables.deletion_id', 'is', null)
    .where('bases.deletion_id', 'is', null)
    .orderBy('tables.id'),
)

const findOrTrash = prepared<{ id: string }, TableRow>((db, value) =>
  db.selectFrom('tables').selectAll().where('id', '=', value('id')),
)

const findInBase = prepared<{ id: string }, TableRow>((db, value) =>
  db
    .selectFrom('tables')
    .innerJoin('bases', 'bases.id', 'tables.base_id')
    .selectAll('tables')
    .where('tables.id', '=', value('id'))
    .where('bases.deletion_id', 'is', null),
)

const readDeleted = readDeletedIn('tables', 'base_id', tableColumns.toEntity)

const restore = prepared<{ id: string; name: string }, TableRow>((db, value) =>
  db
    .updateTable('tables')
    .set({ ...noDeletion, name: value('name') })
    .where('id', '=', value('id'))
    .returningAll(),
)

const listOf = prepared<{ baseId: string }, TableRow>((db, value) =>
  db
    .selectFrom('tables')
    .selectAll()
    .where('base_id', '=', value('baseId'))
    .where('deletion_id', 'is', null)
    .orderBy('created_time')
    .orderBy('id'),
)

const readFromOutside = prepared<{ baseId: string }, { id: string }>((db, value) =>
  db
    .selectFrom('fields')
    .innerJoin('tables as reader', 'reader.id', 'fields.table_id')
    .innerJoin('tables as target', 'target.id', 'fields.foreign_table_id')
    .select('target.id')
    .distinct()
    .where('target.base_id', '=', value('baseId'))
    .whereRef('reader.base_id', '!=', 'target.base_id')
    .where('fields.deletion_id', 'is', null)
    .where('reader.deletion_id', 'is', null)
    .orderBy('target.id'),
)

const readingOutside = prepared<{ baseId: string }, { id: string }>((db, value) =>
  db
    .selectFrom('fields')
    .innerJoin('tables as reader', 'reader.id', 'fields.table_id')
    .innerJoin('tables as target', 'target.id', 'fields.foreign_table_id')
    .select('reader.id')
    .distinct()
    .where('reader.base_id', '=', value('baseId'))
    .whereRef('reader.base_id', '!=', 'target.base_id')
    .where('fields.deletion_id', 'is', null)
    .where('reader.deletion_id', 'is', null)
    .orderBy('reader.id'),
)

/** Tables of the base, as one end of fields whose other end lies in another base. */
function linkedAt(db: QueryBuilder, end: 'reader' | 'target', baseId: string) {
  return db
    .selectFrom('fields')
    .innerJoin('tables as reader', 'reader.id', 'fields.table_id')
    .innerJoin('tables as target', 'target.id', 'fields.foreign_table_id')
    .select(`${end}.name as name`)
    .where(`${end}.base_id`, '=', baseId)
    .whereRef('reader.base_id', '!=', 'target.base_id')
}

const linkedAcross = prepared<{ baseId: string }, { name: string }>((db, value) =>
  linkedAt(db, 'reader', value('baseId'))
    .union(linkedAt(db, 'target', value('baseId')))
    .orderBy('name'),
)

const listShowing = prepared<
  { userId: string; after: string; take: number; fieldTypes: readonly string[] },
  TableRow
>((db, value, dialect) =>
  db
    .selectFrom('tables')
    .innerJoin('bases', 'bases.id', 'tables.base_id')
    .selectAll('tables')
    .where('tables.id', '>', value('after'))
    .where('tables.deletion_id', 'is', null)
    .where('bases.deletion_id', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('fields')
          .select('fields.id')
          .whereRef('fields.table_id', '=', 'tables.id')
          .where('fields.deletion_id', 'is', null)
          .where(dialect.lists.isIn('fields.type', value('fieldTypes'))),
      ),
    )
    .where(({ or, exists, selectFrom }) => {
      const inPlaceOf = (roles: 'collaborators' | 'former_roles') =>
        exists(
          selectFrom(roles as 'collaborators')
            .select('user_id')
            .where('user_id', '=', value('userId'))
            .where((eb) =>
              eb.or([
                eb('resource_id', '=', eb.ref('bases.id')),
                eb('resource_id', '=', eb.ref('bases.space_id')),
              ]),
            ),
        )
      return or([inPlaceOf('collaborators'), inPlaceOf('former_roles')])
    })
    .orderBy('tables.id')
    .limit(value('take')),
)

const takenDbTableNames = prepared<{ baseId: string }, { db_table_name: string }>((db, value) =>
  db.selectFrom('tables').select('db_table_name').where('base_id', '=', value('baseId')),
)

const insert = insertInto('tables', tableColumns)

const update = prepared<TableSettings & { id: string; time: string }, TableRow>((db, value) =>
  db
    .updateTable('tables')
    .set((eb) => ({
      name: value('name'),
      description: value('description'),
      icon: value('icon'),
      last_modified_time: value('time'),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', value('id'))
    .returningAll(),
)

const changeSchema = prepared<{ id: string; tag: string; time: string }, TableRow>((db, value) =>
  db
    .updateTable('tables')
    .set((eb) => ({
      schema_tag: value('tag'),
      last_modified_time: value('time'),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', value('id'))
    .returningAll(),
)

const renewSchema = prepared<{ id: string; tag: string }, TableRow>((db, value) =>
  db
    .updateTable('tables')
    .set({ schema_tag: value('tag') })
    .where('id', '=', value('id'))
    .returningAll(),
)

const chooseSearchIndex = prepared<{ id: string; choice: SearchIndexChoice }, unknown>(
  (db, value) =>
    db
      .updateTable('tables')
      .set({ search_index: value('choice') })
      .where('id', '=', value('id')),
)

const markDeleted = markDeletedIn('tables')

/** The link fields that the table ever had: the pairs of each may lie under its id. */
const linkFieldIds = prepared<{ id: string }, { id: string }>((db, value) =>
  db
    .selectFrom('fields')
    .select('id')
    .where('table_id', '=', value('id'))
    .where('foreign_table_id', 'is not', null)
    .where('lookup_options', 'is', null)
    .orderBy('id'),
)

const removals = [
  deleteFrom('trash_entries', 'place_id'),
  prepared<{ id: string }, unknown>((db, value) =>
    db
      .deleteFrom('trash_entries')
      .where(
        'id',
        'in',
        db.selectFrom('tables').select('deletion_id').where('id', '=', value('id')),
      ),
  ),
  prepared<{ id: string }, unknown>((db, value) =>
    db
      .deleteFrom('written_cells')
      .where(
        'field_id',
        'in',
        db.selectFrom('conversions').select('field_id').where('table_id', '=', value('id')),
      ),
  ),
  deleteFrom('conversions', 'table_id'),
  deleteFrom('calculations', 'table_id'),
  deleteFrom('retired_columns', 'table_id'),
  deleteFrom('undo_commands', 'table_id'),
  prepared<{ id: string }, unknown>((db, value) =>
    db
      .deleteFrom('kept_parts')
      .where(
        'id',
        'in',
        db.selectFrom('kept_values').select('id').where('table_id', '=', value('id')),
      ),
  ),
  deleteFrom('kept_values', 'table_id'),
  deleteFrom('plugin_installs', 'table_id'),
  deleteFrom('plugin_panels', 'table_id'),
  deleteFrom('view_shares', 'table_id'),
  deleteFrom('comments', 'table_id'),
  deleteFrom('views', 'table_id'),
  deleteFrom('fields', 'table_id'),
  deleteFrom('tables', 'id'),
  ...keptByUsers,
]

export class SqlTableRepository implements TableRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async findAll(ids: readonly string[], lock: Lock): Promise<readonly Table[]> {
    if (ids.length === 0) return []
    if (lock !== 'none' && this.#session.dialect.locks.holdsRows) {
      await this.#session.held(this.#session.all(holdQueries[lock], { ids }))
    }
    const rows = await this.#session.all(findAll, { ids })
    if (lock !== 'none') for (const row of rows) this.#session.connection.willHold?.(row.base_id)
    return rows.map(tableColumns.toEntity)
  }

  async findOrTrash(id: string, lock: Lock): Promise<Table | undefined> {
    if (lock !== 'none' && this.#session.dialect.locks.holdsRows) {
      await this.#session.held(this.#session.all(holdQueries[lock], { ids: [id] }))
    }
    const row = await this.#session.first(findOrTrash, { id })
    return row && tableColumns.toEntity(row)
  }

  async findInBase(id: string): Promise<Table | undefined> {
    const row = await this.#session.first(findInBase, { id })
    return row && tableColumns.toEntity(row)
  }

  async listOf(baseId: string): Promise<readonly Table[]> {
    return (await this.#session.all(listOf, { baseId })).map(tableColumns.toEntity)
  }

  deletedIn(baseId: string, page: DeletedPage): Promise<readonly Deleted<Table>[]> {
    return readDeleted(this.#session, baseId, page)
  }

  async readFromOutside(baseId: string): Promise<readonly string[]> {
    return (await this.#session.all(readFromOutside, { baseId })).map(({ id }) => id)
  }

  async linkedAcross(baseId: string): Promise<readonly string[]> {
    return (await this.#session.all(linkedAcross, { baseId })).map(({ name }) => name)
  }

  async readingOutside(baseId: string): Promise<readonly string[]> {
    return (await this.#session.all(readingOutside, { baseId })).map(({ id }) => id)
  }

  async listShowing(
    userId: string,
    page: { after: string; take: number; fieldTypes: readonly string[] },
  ): Promise<readonly Table[]> {
    return (await this.#session.all(listShowing, { userId, ...page })).map((row) =>
      tableColumns.toEntity(row),
    )
  }

  async takenDbTableNames(baseId: string): Promise<ReadonlySet<string>> {
    const rows = await this.#session.all(takenDbTableNames, { baseId })
    return new Set(rows.map((row) => row.db_table_name.toLowerCase()))
  }

  async insert(table: Table, fields: readonly Field[]): Promise<void> {
    await this.#session.run(insert, tableColumns.toRow(table))
    const { tables } = this.#session.dialect
    await insertFieldRows(this.#session, fields)
    const made = fields.flatMap((field) => columnOf(field) ?? [])
    for (const statement of tables.create(table, made)) await this.#session.define(statement)
    const columns = new FieldColumns(this.#session, table)
    for (const field of fields) {
      if (field.unique) await columns.refuseRepeats(field)
      if (field.notNull) await columns.refuseEmpty(field)
    }
  }

  async update(id: string, settings: TableSettings, time: string): Promise<Table> {
    const { name, description, icon } = settings
    return tableColumns.toEntity(
      await this.#session.one(update, { id, name, description, icon, time }),
    )
  }

  async changeSchema(id: string, tag: string, time: string): Promise<Table> {
    return tableColumns.toEntity(await this.#session.one(changeSchema, { id, tag, time }))
  }

  async renewSchema(id: string, tag: string): Promise<Table> {
    return tableColumns.toEntity(await this.#session.one(renewSchema, { id, tag }))
  }

  async chooseSearchIndex(id: string, choice: SearchIndexChoice): Promise<void> {
    await this.#session.run(chooseSearchIndex, { id, choice })
  }

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: [id], ...deletion })
  }

  async restore(id: string, name: string): Promise<Table> {
    return tableColumns.toEntity(await this.#session.one(restore, { id, name }))
  }

  async deletePermanently(table: Table): Promise<void> {
    const { id, baseId, dbTableName } = table
    const { dialect } = this.#session
    const rebuilds = new SqlTableRebuildRepository(this.#session)
    if (await rebuilds.find(id)) await rebuilds.drop({ ...table, rebuiltName: null })
    for (const { id: fieldId } of await this.#session.all(linkFieldIds, { id })) {
      await this.#session.define(dropLinkTable(dialect, baseId, fieldId))
    }
    for (const removal of removals) await this.#session.run(removal, { id })
    for (const statement of dialect.tables.drop(baseId, dbTableName, id)) {
      await this.#session.define(statement)
    }
  }
}
