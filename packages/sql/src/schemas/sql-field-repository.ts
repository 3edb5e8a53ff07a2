import { DomainError } from '@gateleg/domain/errors'
import { columnOf } from '@gateleg/domain/fields/column-of'
import type { Field } from '@gateleg/domain/fields/field'
import type {
  FieldRepository,
  PhysicalColumn,
  TableLink,
  TakenColumnNames,
} from '@gateleg/domain/schemas/field-repository'
import {
  type IndexState,
  type TableSchema,
  toTableSchema,
} from '@gateleg/domain/schemas/table-schema'
import type { Table } from '@gateleg/domain/tables/table'
import type { Deleted, DeletedPage, Deletion } from '@gateleg/domain/trash/deletion'
import { isUniqueFailure, SqlFailure } from '../core/connection.ts'
import { prepared } from '../core/database.ts'
import { markDeletedIn, readDeletedIn, restoreIn } from '../core/own-tables/deletion-mark.ts'
import { valuesOf } from '../core/own-tables/insert-row.ts'
import { refuseAsInvalid } from '../core/refuse-as-invalid.ts'
import type { SqlSession } from '../core/session.ts'
import type { RowOf } from '../metadata/table-columns.ts'
import { type FieldRow, fieldColumns } from '../metadata/tables/field-table.ts'
import { FieldColumns, mayBeLong } from '../record-tables/field-columns.ts'
import type { Schemas } from '../record-tables/schema-cache.ts'
import { reservedColumnNames } from '../record-tables/system-columns.ts'
import { refusals } from '../records/refusals.ts'
import { findLinkEnds } from './find-link-ends.ts'
import { idsInAnyCase } from './ids-in-any-case.ts'
import { keptOf, RetiredColumns } from './retired-columns.ts'

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
    // Where the last ones were deleted, those that came after them have their places: they stand behind them.
    .orderBy('fields.created_time')
    .orderBy('fields.id'),
)

const deletedOf = prepared<{ tableId: string }, FieldRow>((db, value) =>
  db
    .selectFrom('fields')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .where('deletion_id', 'is not', null)
    .where('column_name', 'is not', null)
    .orderBy('id'),
)

const deletedBy = prepared<{ tableId: string; operationId: string }, FieldRow>((db, value) =>
  db
    .selectFrom('fields')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .where('deletion_id', '=', value('operationId'))
    .orderBy('position')
    .orderBy('created_time')
    .orderBy('id'),
)

const deletionOf = prepared<{ id: string }, { operationId: string; time: string; userId: string }>(
  (db, value) =>
    db
      .selectFrom('fields')
      .select(['deletion_id as operationId', 'deleted_time as time', 'deleted_by as userId'])
      .where('id', '=', value('id'))
      .where('deletion_id', 'is not', null)
      .$narrowType<{ operationId: string; time: string; userId: string }>(),
)

const readDeleted = readDeletedIn('fields', 'table_id', fieldColumns.toEntity)

const restoreMarks = restoreIn('fields')

const removeFields = prepared<{ ids: readonly string[] }, unknown>((db, value, dialect) =>
  db.deleteFrom('fields').where(dialect.lists.isIn('id', value('ids'))),
)

const inboundTableIds = prepared<{ tableId: string }, { table_id: string }>((db, value) =>
  db
    .selectFrom('fields')
    .innerJoin('tables', 'tables.id', 'fields.table_id')
    .innerJoin('bases', 'bases.id', 'tables.base_id')
    .select('fields.table_id')
    .distinct()
    .where('fields.foreign_table_id', '=', value('tableId'))
    .where('fields.deletion_id', 'is', null)
    .where('tables.deletion_id', 'is', null)
    .where('bases.deletion_id', 'is', null)
    .orderBy('fields.table_id'),
)

const indexesOf = prepared<{ tableId: string }, IndexState>((db, value) =>
  db
    .selectFrom('table_indexes')
    .select(['key', 'state', 'definition'])
    .where('table_id', '=', value('tableId')),
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

const rename = prepared<{ id: string; name: string; dbFieldName: string }, unknown>((db, value) =>
  db
    .updateTable('fields')
    .set({ name: value('name'), db_field_name: value('dbFieldName'), is_pending: false })
    .where('id', '=', value('id')),
)

/** What can't change of a field that is living, and the count of its changes. */
const lasting = [
  ...(['id', 'table_id', 'is_primary', 'position'] as const),
  ...(['created_by', 'created_time', 'version'] as const),
]

const changing = fieldColumns.except(...lasting)

const update = prepared<RowOf<typeof fieldColumns>, unknown>((db, value) =>
  db
    .updateTable('fields')
    .set((eb) => ({ ...valuesOf(changing, value), version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

/** What changes of fields that are changed together: their columns keep their names. */
const changingTogether = fieldColumns.except(...lasting, 'db_field_name', 'column_name')

/** Fields that one statement changes: so many values of each are far below what a statement takes. */
const fieldsPerUpdate = 500

const setPending = prepared<{ ids: readonly string[]; isPending: boolean }, unknown>(
  (db, value, dialect) =>
    db
      .updateTable('fields')
      .set({ is_pending: value('isPending') })
      .where(dialect.lists.isIn('id', value('ids'))),
)

const tableIdOf = prepared<{ id: string }, { table_id: string }>((db, value) =>
  db
    .selectFrom('fields')
    .select('table_id')
    .where('id', '=', value('id'))
    .where('deletion_id', 'is', null),
)

const markDeleted = markDeletedIn('fields')

export class SqlFieldRepository implements FieldRepository {
  readonly #session: SqlSession
  readonly #schemas: Schemas

  constructor(session: SqlSession, schemas: Schemas) {
    this.#session = session
    this.#schemas = schemas
  }

  async schemaOf(table: Table): Promise<TableSchema> {
    const known = this.#schemas.find(table.schemaTag)
    if (known) return known
    // Before the tag: who changes it changes the tag, so that a tag which stayed vouches for it.
    const inbound = await this.#session.all(inboundTableIds, { tableId: table.id })
    const hidden = await this.#hiddenColumns(table.id)
    const indexes = await this.#session.all(indexesOf, { tableId: table.id })
    const resting = (await this.linkEndsOf(table.id)).filter(isRestingWithPairs)
    const rows = await this.#session.all(schemaOf, { tableId: table.id })
    if (rows[0]?.schema_tag !== table.schemaTag) {
      throw new SqlFailure('outdated', `The schema of ${table.id} has changed`, undefined)
    }
    const schema = toTableSchema(
      table,
      rows.map(fieldColumns.toEntity),
      inbound.map((row) => row.table_id),
      hidden,
      resting.map(({ end }) => end),
      indexes,
    )
    this.#schemas.keep(schema, weightOf(rows) + bytesPerHiddenColumn * hidden.length)
    return schema
  }

  /** The columns whose values may be long and are in no cell: of deleted fields, and such as are kept for steps of undo. */
  async #hiddenColumns(tableId: string): Promise<readonly string[]> {
    const rows = await this.#session.all(deletedOf, { tableId })
    const deleted = rows.flatMap((row) => columnOf(fieldColumns.toEntity(row)) ?? [])
    const kept = await this.#session.all(keptOf, { tableId })
    return [...deleted, ...kept].filter(mayBeLong).map(({ name }) => name)
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

  async tableIdOf(fieldId: string): Promise<string | undefined> {
    return (await this.#session.first(tableIdOf, { id: fieldId }))?.table_id
  }

  async takenIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return idsInAnyCase(this.#session, ids)
  }

  async deletedOf(tableId: string, operationId: string): Promise<readonly Field[]> {
    const rows = await this.#session.all(deletedBy, { tableId, operationId })
    return rows.map(fieldColumns.toEntity)
  }

  deletedIn(tableId: string, page: DeletedPage): Promise<readonly Deleted<Field>[]> {
    return readDeleted(this.#session, tableId, page)
  }

  deletionOf(fieldId: string): Promise<Deletion | undefined> {
    return this.#session.first(deletionOf, { id: fieldId })
  }

  linkEndsOf(tableId: string): Promise<readonly TableLink[]> {
    return findLinkEnds(this.#session, tableId)
  }

  get #retired(): RetiredColumns {
    return new RetiredColumns(this.#session)
  }

  async insert(table: Table, field: Field): Promise<void> {
    await insertFieldRows(this.#session, [field])
    const column = columnOf(field)
    if (!column) return
    const [missing] = await this.reuseColumns(table, [column])
    if (missing) await this.addColumn(table, missing)
    if (field.unique) await this.refuseRepeats(table, field)
  }

  async update(table: Table, before: Field, after: Field): Promise<void> {
    await this.#session.run(update, fieldColumns.toRow(after))
    const { columnName: from } = before
    const { columnName: to } = after
    if (from !== null && to !== null && from !== to) {
      await this.renameColumn(table, from, to)
    }
  }

  async updateAll(fields: readonly Field[]): Promise<void> {
    for (let start = 0; start < fields.length; start += fieldsPerUpdate) {
      await this.#updateSome(fields.slice(start, start + fieldsPerUpdate))
    }
  }

  /** The rows are there: each is named by its id, and takes the values that would be inserted. */
  async #updateSome(fields: readonly Field[]): Promise<void> {
    const { db } = this.#session
    await this.#session.runOnce(
      db
        .insertInto('fields')
        .values(fields.map((field) => fieldColumns.toRow(field)))
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((eb) => ({
            ...valuesOf(changingTogether, (name) => eb.ref(`excluded.${name}`) as never),
            version: eb('fields.version', '+', 1),
          })),
        ),
    )
  }

  async setPending(fieldIds: readonly string[], isPending: boolean): Promise<void> {
    if (fieldIds.length > 0) await this.#session.run(setPending, { ids: fieldIds, isPending })
  }

  async addColumn(table: Table, column: PhysicalColumn): Promise<void> {
    await new FieldColumns(this.#session, table).add(column)
  }

  reuseColumns(table: Table, columns: readonly PhysicalColumn[]) {
    return this.#retired.reuse(table, columns)
  }

  missingColumns(tableId: string, columns: readonly PhysicalColumn[]) {
    return this.#retired.missing(tableId, columns)
  }

  retireColumns(table: Table, columns: readonly PhysicalColumn[]) {
    return this.#retired.retire(table, columns)
  }

  emptyColumns(tableId: string) {
    return this.#retired.empty(tableId)
  }

  tablesWithEmptyColumns(least: number) {
    return this.#retired.tablesWithEmpty(least)
  }

  get retypes(): boolean {
    return this.#session.dialect.tables.retype !== undefined
  }

  retypeColumns(table: Table, columns: readonly PhysicalColumn[]) {
    return this.#retired.retype(table, columns)
  }

  retiredColumns(tableId: string) {
    return this.#retired.withValues(tableId)
  }

  noteEmptied(tableId: string, names: readonly string[], emptied: number | undefined) {
    return this.#retired.noteEmptied(tableId, names, emptied)
  }

  async countColumns({ baseId, physicalName }: Pick<TableSchema, 'baseId' | 'physicalName'>) {
    const { tables } = this.#session.dialect
    const counting = tables.countColumns(baseId, physicalName)
    const [row] = await this.#session.allOnce(counting)
    return Number(row?.count)
  }

  async renameColumn(table: Table, from: string, to: string): Promise<void> {
    await new FieldColumns(this.#session, table).rename(from, to)
  }

  async markDeleted(table: Table, fields: readonly Field[], deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: fields.map(({ id }) => id), ...deletion })
    const columns = new FieldColumns(this.#session, table)
    for (const field of fields) {
      // New records have no value for a field that is in the trash.
      if (field.notNull) await columns.allowEmpty(field)
    }
  }

  async restore(table: Table, fields: readonly Field[]): Promise<void> {
    if (fields.length === 0) return
    await this.#session.run(restoreMarks, { ids: fields.map(({ id }) => id) })
    for (const field of fields) await this.#session.run(rename, nameOf(field))
    const columns = new FieldColumns(this.#session, table)
    for (const field of fields) {
      if (field.notNull) await refuseAsInvalid(refusals, () => columns.refuseEmpty(field))
    }
  }

  async purge(table: Table, fields: readonly Field[]): Promise<void> {
    const columns = new FieldColumns(this.#session, table)
    for (const field of fields) if (field.unique) await columns.allowRepeats(field)
    await this.retireColumns(
      table,
      fields.flatMap((field) => columnOf(field) ?? []),
    )
    await this.#session.run(removeFields, { ids: fields.map(({ id }) => id) })
  }

  async requireValues(table: Table, field: Field): Promise<void> {
    await new FieldColumns(this.#session, table).refuseEmpty(field)
  }

  async allowEmpty(table: Table, field: Field): Promise<void> {
    await new FieldColumns(this.#session, table).allowEmpty(field)
  }

  async refuseRepeats(table: Table, field: Field): Promise<void> {
    await new FieldColumns(this.#session, table).refuseRepeats(field)
  }

  async allowRepeats(table: Table, field: Field): Promise<void> {
    await new FieldColumns(this.#session, table).allowRepeats(field)
  }
}

function isRestingWithPairs({ isResting, hasPairs }: TableLink): boolean {
  return isResting && hasPairs
}

function nameOf({ id, name, dbFieldName }: Field) {
  return { id, name, dbFieldName }
}

/** Adds the rows of fields; `conflict` when an id is taken. */
export async function insertFieldRows(
  session: SqlSession,
  fields: readonly Field[],
): Promise<void> {
  try {
    await session.runOnce(
      session.db.insertInto('fields').values(fields.map((field) => fieldColumns.toRow(field))),
    )
  } catch (error) {
    if (!isUniqueFailure(error)) throw error
    throw new DomainError('conflict', 'A field with this id is there already')
  }
}

/** Bytes that a field takes in a schema, and among the columns of its table, beside its own texts. */
const bytesPerField = 3_000

/** Bytes that the name of a column takes that no field shows. */
const bytesPerHiddenColumn = 200

/** Bytes that a character of those texts takes, once it is read: objects, maps by id and by name. */
const bytesPerCharacter = 5

/** What the schema of these fields weighs, in bytes, roughly. */
function weightOf(rows: readonly FieldRow[]): number {
  let weight = bytesPerField
  for (const row of rows) {
    const texts = [
      row.name,
      row.description,
      row.options,
      row.lookup_options,
      row.result,
      row.ai_config,
    ]
    const length = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    weight += bytesPerField + bytesPerCharacter * length
  }
  return weight
}
