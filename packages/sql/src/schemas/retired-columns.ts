import { assert } from '@gateleg/domain/errors'
import type { DbFieldType } from '@gateleg/domain/fields/column-type'
import type { PhysicalColumn, RetiredColumn } from '@gateleg/domain/schemas/field-repository'
import { physicalNameOf, type Table } from '@gateleg/domain/tables/table'
import { prepared } from '../core/database.ts'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import type { SqlSession } from '../core/session.ts'
import { quote } from '../core/statements/quote.ts'
import type { RetiredColumnRow } from '../metadata/database-schema.ts'
import { FieldColumns } from '../record-tables/field-columns.ts'

/** The columns of a table that no field has any more. */
const retiredOf = prepared<{ tableId: string }, RetiredColumnRow>((db, value) =>
  db
    .selectFrom('retired_columns')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .orderBy('name'),
)

/** Those of them that keep values for steps of undo. */
export const keptOf = prepared<{ tableId: string }, TypedColumn>((db, value) =>
  db
    .selectFrom('retired_columns')
    .innerJoin('kept_values', (join) =>
      join
        .onRef('kept_values.table_id', '=', 'retired_columns.table_id')
        .onRef('kept_values.column_name', '=', 'retired_columns.name'),
    )
    .select(['retired_columns.name', 'retired_columns.type'])
    .where('retired_columns.table_id', '=', value('tableId'))
    .orderBy('retired_columns.name')
    .$castTo<TypedColumn>(),
)

/** Notes up to which record they have no values. */
const noteEmptied = prepared<
  { tableId: string; names: readonly string[]; emptied: number; isEmpty: boolean },
  unknown
>((db, value, dialect) =>
  db
    .updateTable('retired_columns')
    .set({ emptied_number: value('emptied'), is_empty: value('isEmpty') })
    .where('table_id', '=', value('tableId'))
    .where(dialect.lists.isIn('name', value('names'))),
)

/** Notes that they have another type now. */
const noteRetyped = prepared<{ tableId: string; names: readonly string[]; type: string }, unknown>(
  (db, value, dialect) =>
    db
      .updateTable('retired_columns')
      .set({ type: value('type') })
      .where('table_id', '=', value('tableId'))
      .where(dialect.lists.isIn('name', value('names'))),
)

/** Tables that have at least so many which are empty. */
const tablesWithEmpty = prepared<{ least: number }, { table_id: string }>((db, value) =>
  db
    .selectFrom('retired_columns')
    .select('table_id')
    .where('is_empty', '=', true)
    .groupBy('table_id')
    .having((eb) => eb.fn.countAll(), '>=', value('least'))
    .orderBy('table_id'),
)

/** The indexes for queries, which follow a column that is retired until nobody needs them. */
const indexesOf = prepared<{ tableId: string }, { definition: string }>((db, value) =>
  db.selectFrom('table_indexes').select('definition').where('table_id', '=', value('tableId')),
)

/** Forgets those that fields have again. */
const forgetRetired = prepared<{ tableId: string; names: readonly string[] }, unknown>(
  (db, value, dialect) =>
    db
      .deleteFrom('retired_columns')
      .where('table_id', '=', value('tableId'))
      .where(dialect.lists.isIn('name', value('names'))),
)

/** What the name of a column begins with that no field has; no field's column may begin so. */
const retiredPrefix = '__old_'

/** The columns of tables that no field has any more. See `FieldRepository`. */
export class RetiredColumns {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  /** Gives those that are empty and of the types wanted the names. Returns the columns for which there was none. */
  async reuse(
    table: Table,
    columns: readonly PhysicalColumn[],
  ): Promise<readonly PhysicalColumn[]> {
    const { fitting, missing } = await this.#findFitting(table.id, columns)
    for (const { name, column } of fitting)
      await new FieldColumns(this.#session, table).rename(name, column.name)
    const names = fitting.map(({ name }) => name)
    if (names.length > 0) await this.#session.run(forgetRetired, { tableId: table.id, names })
    return missing
  }

  /** Those of the columns for which there is none. */
  async missing(
    tableId: string,
    columns: readonly PhysicalColumn[],
  ): Promise<readonly PhysicalColumn[]> {
    return (await this.#findFitting(tableId, columns)).missing
  }

  /** The retired columns that could become the columns wanted, and those of them for which there is none. */
  async #findFitting(tableId: string, columns: readonly PhysicalColumn[]) {
    const { columnTypes } = this.#session.dialect.tables
    const rows = await this.#session.all(retiredOf, { tableId })
    const free = Map.groupBy(
      rows.filter((row) => row.is_empty).toReversed(),
      (row) => columnTypes[row.type as DbFieldType],
    )
    const fitting: { readonly name: string; readonly column: PhysicalColumn }[] = []
    const missing: PhysicalColumn[] = []
    for (const column of columns) {
      const found = free.get(columnTypes[column.type])?.pop()
      if (found) fitting.push({ name: found.name, column })
      else missing.push(column)
    }
    return { fitting, missing }
  }

  /** Takes columns out of use, with their values. Returns them as they are then. */
  async retire(
    table: Table,
    columns: readonly PhysicalColumn[],
  ): Promise<readonly PhysicalColumn[]> {
    if (columns.length === 0) return []
    const rows = await this.#session.all(retiredOf, { tableId: table.id })
    const numbers = rows.map((row) => Number(row.name.slice(retiredPrefix.length)))
    const last = Math.max(0, ...numbers)
    const retired = columns.map(({ type }, index) => ({
      name: `${retiredPrefix}${last + 1 + index}`,
      type,
    }))
    for (const [index, { name }] of columns.entries()) {
      await new FieldColumns(this.#session, table).rename(name, retired[index]?.name ?? '')
    }
    const values = retired.map(({ name, type }) => ({
      table_id: table.id,
      name,
      type,
      emptied_number: 0,
      is_empty: false,
    }))
    await this.#session.runOnce(this.#session.db.insertInto('retired_columns').values(values))
    return retired
  }

  /** Those that are empty and in no index any more, by name. */
  async empty(tableId: string): Promise<readonly PhysicalColumn[]> {
    const rows = await this.#session.all(retiredOf, { tableId })
    const indexes = await this.#session.all(indexesOf, { tableId })
    const isIndexed = (name: string) =>
      indexes.some(({ definition }) => definition.includes(quote(name)))
    return rows
      .filter((row) => row.is_empty && !isIndexed(row.name))
      .map(({ name, type }) => ({ name, type: type as DbFieldType }))
  }

  /** The tables that have so many of them at least, by id. */
  async tablesWithEmpty(least: number): Promise<readonly string[]> {
    const rows = await this.#session.all(tablesWithEmpty, { least })
    return rows.map((row) => row.table_id)
  }

  /** Gives those that are empty other types. */
  async retype(table: Table, columns: readonly PhysicalColumn[]): Promise<void> {
    const { columnTypes, retype } = this.#session.dialect.tables
    const before = new Map((await this.empty(table.id)).map(({ name, type }) => [name, type]))
    const changed = columns
      .map((column) => ({ ...column, before: before.get(column.name) ?? column.type }))
      .filter((column) => columnTypes[column.before] !== columnTypes[column.type])
    assert(retype, 'the storage gives columns other types')
    if (changed.length > 0) {
      await this.#session.define(retype(table.baseId, physicalNameOf(table), changed))
    }
    for (const [type, some] of Map.groupBy(columns, (column) => column.type)) {
      const names = some.map(({ name }) => name)
      await this.#session.run(noteRetyped, { tableId: table.id, names, type })
    }
  }

  /** Those that have values still, by name. */
  async withValues(tableId: string): Promise<readonly RetiredColumn[]> {
    const rows = await this.#session.all(retiredOf, { tableId })
    return rows
      .filter((row) => !row.is_empty)
      .map(({ name, type, emptied_number: emptied }) => ({
        name,
        type: type as DbFieldType,
        emptied,
      }))
  }

  /** Notes up to which record they have no values any more; undefined for all of them. */
  async noteEmptied(
    tableId: string,
    names: readonly string[],
    emptied: number | undefined,
  ): Promise<void> {
    const isEmpty = emptied === undefined
    await this.#session.run(noteEmptied, { tableId, names, emptied: emptied ?? 0, isEmpty })
  }
}
