import { DomainError } from '@gateleg/domain/errors'
import type { Field } from '@gateleg/domain/fields/field'
import type { FieldRepository, TakenColumnNames } from '@gateleg/domain/fields/field-repository'
import type { FieldTypeName } from '@gateleg/domain/fields/field-type'
import { type TableSchema, toTableSchema } from '@gateleg/domain/fields/table-schema'
import type { Table } from '@gateleg/domain/tables/table'
import type { Deletion } from '@gateleg/domain/trash/deletion'
import { isUniqueFailure, SqlFailure } from './connection.ts'
import { prepared } from './database.ts'
import { FieldColumns } from './field-columns.ts'
import type { FieldRow } from './schema.ts'
import type { SchemaCache } from './schema-cache.ts'
import type { SqlSession } from './session.ts'
import { reservedColumnNames } from './user-table.ts'

/** With the tag of the table in the same moment: what is kept under a tag must be what the tag stands for. */
const schemaOf = prepared<{ tableId: string }, FieldRow & { schema_tag: string }>((db, value) =>
  db
    .selectFrom('fields')
    .innerJoin('tables', 'tables.id', 'fields.table_id')
    .selectAll('fields')
    .select('tables.schema_tag')
    .where('fields.table_id', '=', value('tableId'))
    .where('fields.deletion_id', 'is', null)
    .orderBy('fields.position')
    .orderBy('fields.id'),
)

const takenColumnNames = prepared<
  { tableId: string },
  Pick<FieldRow, 'db_field_name' | 'column_name' | 'deletion_id'>
>((db, value) =>
  db
    .selectFrom('fields')
    .select(['db_field_name', 'column_name', 'deletion_id'])
    .where('table_id', '=', value('tableId')),
)

type Setting = 'name' | 'description' | 'options' | 'db_field_name' | 'column_name'

const update = prepared<Pick<FieldRow, 'id' | Setting>, unknown>((db, value) =>
  db
    .updateTable('fields')
    .set((eb) => ({
      name: value('name'),
      description: value('description'),
      options: value('options'),
      db_field_name: value('db_field_name'),
      column_name: value('column_name'),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', value('id')),
)

const markDeleted = prepared<Deletion & { ids: readonly string[] }, unknown>((db, value, dialect) =>
  db
    .updateTable('fields')
    .set({
      deletion_id: value('operationId'),
      deleted_time: value('time'),
      deleted_by: value('userId'),
    })
    .where(dialect.isIn('id', value('ids'))),
)

export class SqlFieldRepository implements FieldRepository {
  readonly #session: SqlSession
  readonly #schemas: SchemaCache

  constructor(session: SqlSession, schemas: SchemaCache) {
    this.#session = session
    this.#schemas = schemas
  }

  async schemaOf(table: Table): Promise<TableSchema> {
    const known = this.#schemas.find(table.schemaTag)
    if (known) return known
    const rows = await this.#session.all(schemaOf, { tableId: table.id })
    if (rows[0]?.schema_tag !== table.schemaTag) {
      throw new SqlFailure('outdated', `The schema of ${table.id} has changed`, undefined)
    }
    const schema = toTableSchema(table, rows.map(toField))
    this.#schemas.keep(schema)
    return schema
  }

  async takenColumnNames(tableId: string): Promise<TakenColumnNames> {
    const rows = await this.#session.all(takenColumnNames, { tableId })
    const living = rows.filter((row) => row.deletion_id === null)
    const physical = rows.flatMap((row) => row.column_name?.toLowerCase() ?? [])
    return {
      dbFieldNames: new Set(living.map((row) => row.db_field_name)),
      columnNames: new Set([...physical, ...reservedColumnNames]),
    }
  }

  async insert(table: Table, field: Field): Promise<void> {
    await insertFieldRows(this.#session, [field])
    await new FieldColumns(this.#session, table).add(field)
  }

  async update(table: Table, before: Field, after: Field): Promise<void> {
    const row = toRow(after)
    await this.#session.run(update, {
      id: row.id,
      name: row.name,
      description: row.description,
      options: row.options,
      db_field_name: row.db_field_name,
      column_name: row.column_name,
    })
    const { columnName: from } = before
    const { columnName: to } = after
    if (from !== null && to !== null && from !== to) {
      await new FieldColumns(this.#session, table).rename(from, to)
    }
  }

  async markDeleted(table: Table, fields: readonly Field[], deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: fields.map(({ id }) => id), ...deletion })
    const columns = new FieldColumns(this.#session, table)
    for (const field of fields) {
      // New records have no value for a field that is in the trash.
      if (field.notNull) await columns.allowEmpty(field)
    }
  }

  async requireValues(table: Table, field: Field): Promise<void> {
    await new FieldColumns(this.#session, table).refuseEmpty(field)
  }
}

/** Adds the rows of fields; `conflict` when an id is taken. */
export async function insertFieldRows(
  session: SqlSession,
  fields: readonly Field[],
): Promise<void> {
  try {
    await session.runOnce(session.db.insertInto('fields').values(fields.map(toRow)))
  } catch (error) {
    if (!isUniqueFailure(error)) throw error
    throw new DomainError('conflict', 'A field with this id is there already')
  }
}

/** A row of `fields` as the domain knows it. */
export function toField(row: FieldRow): Field {
  return {
    id: row.id,
    tableId: row.table_id,
    name: row.name,
    type: row.type as FieldTypeName,
    description: row.description,
    options: JSON.parse(row.options),
    isPrimary: Boolean(row.is_primary),
    unique: Boolean(row.is_unique),
    notNull: Boolean(row.not_null),
    aiConfig: row.ai_config === null ? null : JSON.parse(row.ai_config),
    dbFieldName: row.db_field_name,
    columnName: row.column_name,
    order: row.position,
    createdBy: row.created_by,
    createdTime: row.created_time,
    version: row.version,
  }
}

function toRow(field: Field): FieldRow {
  return {
    id: field.id,
    table_id: field.tableId,
    name: field.name,
    type: field.type,
    description: field.description,
    options: JSON.stringify(field.options),
    is_primary: field.isPrimary,
    is_unique: field.unique,
    not_null: field.notNull,
    is_lookup: false,
    lookup_options: null,
    ai_config: field.aiConfig === null ? null : JSON.stringify(field.aiConfig),
    db_field_name: field.dbFieldName,
    column_name: field.columnName,
    position: field.order,
    created_by: field.createdBy,
    created_time: field.createdTime,
    version: field.version,
    deletion_id: null,
    deleted_time: null,
    deleted_by: null,
  }
}
