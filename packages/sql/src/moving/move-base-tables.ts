import { columnOf } from '@gateleg/domain/fields/column-of'
import type { Field } from '@gateleg/domain/fields/field'
import { type LinkEnd, linkTablePrefix } from '@gateleg/domain/fields/link-end'
import { linkCapabilityOf } from '@gateleg/domain/fields/link-of'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import type { SqlSession } from '../core/session.ts'
import {
  createHistoryTable,
  historyColumns,
  historyTablePrefix,
} from '../history/sql-history-repository.ts'
import { LinkStatements, linkColumns } from '../links/link-statements.ts'
import { fieldColumns } from '../metadata/tables/field-table.ts'
import { isOfRebuild } from '../metadata/tables/table-rebuild-table.ts'
import { StorageRefusedError } from '../migrations/storage-errors.ts'
import { FieldColumns } from '../record-tables/field-columns.ts'
import { physicalName as physicalNameOfRow } from '../record-tables/physical-name.ts'
import { orderColumns, orderTablePrefix } from '../record-tables/row-order-table.ts'
import { systemColumns } from '../record-tables/system-columns.ts'
import { SqlRowOrderRepository } from '../views/sql-row-order-repository.ts'
import { copyRows, type MovingSessions } from './copy-rows.ts'
import type { MovingSide, NumberedTable, PhysicalTable } from './moving-side.ts'

/** Tables of a base, by what they hold. */
interface TablesOfBases {
  readonly links: PhysicalTable[]
  readonly orders: PhysicalTable[]
  readonly histories: PhysicalTable[]
  readonly records: PhysicalTable[]
}

/**
 * Makes the tables that a base consists of, each in a step of its own, and copies their rows: those of records, of links,
 * of row orders and of what was changed. What an interrupted move left of the base goes before. Throws StorageRefusedError for a table or a column that
 * nothing tells of.
 */
export async function moveBaseTables(
  from: MovingSide,
  to: MovingSide,
  { baseId, tables }: { readonly baseId: string; readonly tables: readonly PhysicalTable[] },
): Promise<void> {
  const { dialect } = to
  await to.step(async (target) => {
    for (const statement of dialect.tables.remakeSchema(baseId)) await target.define(statement)
  })
  const move = (work: (sessions: MovingSessions) => Promise<void>) =>
    from.step((source) => to.step((target) => work({ from, source, target })))
  const { links, orders, histories, records } = sorted(tables)
  const known = await from.step((source) => knownTables(source, baseId))
  const replaced = new Set([...known.values()].map(({ dbTableName }) => dbTableName))
  for (const { name } of records) {
    const table = known.get(name)
    // Copies of tables that are being rebuilt stay behind, and tables in whose place these are.
    if (!table && (isOfRebuild(name) || replaced.has(name))) continue
    if (!table) throw unknown(`the table ${baseId}.${name}`)
    await move((sessions) => moveRecords(sessions, to, table))
  }
  const ends = links.length === 0 ? new Map<string, LinkEnd>() : await from.step(linkEnds)
  for (const { name } of links) {
    const ownerFieldId = name.slice(linkTablePrefix.length)
    const end = ends.get(ownerFieldId) ?? noLimit(baseId, ownerFieldId)
    await move(async (sessions) => {
      for (const statement of new LinkStatements(end, dialect).create) {
        await sessions.target.define(statement)
      }
      await copyTable(sessions, { baseId, name }, linkColumns)
    })
  }
  for (const { name } of histories) {
    await move(async (sessions) => {
      const table = { id: name.slice(historyTablePrefix.length), baseId }
      for (const statement of createHistoryTable(dialect, table)) {
        await sessions.target.define(statement)
      }
      await copyTable(sessions, { baseId, name }, historyColumns)
    })
  }
  for (const { name } of orders) {
    await move(async (sessions) => {
      const orderId = name.slice(orderTablePrefix.length)
      await new SqlRowOrderRepository(sessions.target).create(baseId, orderId)
      await copyTable(sessions, { baseId, name }, Object.values(orderColumns))
    })
  }
}

function sorted(tables: readonly PhysicalTable[]): TablesOfBases {
  const found: TablesOfBases = { links: [], orders: [], histories: [], records: [] }
  for (const table of tables) {
    if (table.name.startsWith(linkTablePrefix)) found.links.push(table)
    else if (table.name.startsWith(orderTablePrefix)) found.orders.push(table)
    else if (table.name.startsWith(historyTablePrefix)) found.histories.push(table)
    else found.records.push(table)
  }
  return found
}

function copyTable(
  sessions: MovingSessions,
  { baseId, name }: { readonly baseId: string; readonly name: string },
  columns: readonly TypedColumn[],
): Promise<void> {
  const named = ({ dialect }: SqlSession) => dialect.tables.named(baseId, name)
  const { source, target } = sessions
  return copyRows(sessions, { source: named(source), target: named(target), columns })
}

/** The tables of records of a base, living and deleted, by physical name. */
async function knownTables(
  source: SqlSession,
  baseId: string,
): Promise<ReadonlyMap<string, NumberedTable>> {
  const rows = await source.allOnce(
    source.db
      .selectFrom('tables')
      .select(['id', 'db_table_name', physicalNameOfRow])
      .where('base_id', '=', baseId),
  )
  return new Map(
    rows.map(({ id, db_table_name: dbTableName, physical_name: physicalName }) => [
      physicalName,
      { id, baseId, dbTableName, rebuiltName: null, physicalName },
    ]),
  )
}

async function moveRecords(
  sessions: MovingSessions,
  to: MovingSide,
  table: NumberedTable,
): Promise<void> {
  const { from, source, target } = sessions
  const fields = await fieldsOf(source, table.id)
  const columns = await columnsOf(source, table, fields)
  for (const statement of target.dialect.tables.create(table, columns)) {
    await target.define(statement)
  }
  const all = [...Object.values(systemColumns), ...columns]
  const { baseId, dbTableName } = table
  await copyRows(sessions, {
    source: source.dialect.tables.named(baseId, table.physicalName),
    target: target.dialect.tables.named(baseId, dbTableName),
    columns: all,
  })
  const last = await from.lastNumber(source, table)
  if (last > 0) await to.setLastNumber(target, table, last)
  // After the rows: to see to each of them as it comes would take longer.
  const rules = new FieldColumns(target, table)
  for (const { field, isDeleted } of fields) {
    if (columnOf(field) === undefined) continue
    // A field keeps its index in the trash: nothing makes another when it comes back.
    if (field.unique) await rules.refuseRepeats(field)
    if (field.notNull && !isDeleted) await rules.refuseEmpty(field)
  }
}

interface FieldOfTable {
  readonly field: Field
  readonly isDeleted: boolean
}

/** The fields that the table ever had. */
async function fieldsOf(session: SqlSession, tableId: string): Promise<readonly FieldOfTable[]> {
  const rows = await session.allOnce(
    session.db.selectFrom('fields').selectAll().where('table_id', '=', tableId).orderBy('id'),
  )
  return rows.map((row) => ({
    field: fieldColumns.toEntity(row),
    isDeleted: row.deletion_id !== null,
  }))
}

/** The columns that the table has beside those of every table: of fields, of what those were, and retired ones. */
async function columnsOf(
  session: SqlSession,
  { id, baseId, physicalName }: NumberedTable,
  fields: readonly FieldOfTable[],
): Promise<readonly TypedColumn[]> {
  const { db } = session
  const retired = await session.allOnce(
    db.selectFrom('retired_columns').select(['name', 'type']).where('table_id', '=', id),
  )
  const sources = await conversionSources(session, id)
  const told = new Map<string, TypedColumn>()
  for (const { name, type } of retired) told.set(name, { name, type: type as TypedColumn['type'] })
  for (const field of [...sources, ...fields.map(({ field }) => field)]) {
    const column = columnOf(field)
    if (column) told.set(column.name, column)
  }
  const ofEvery = new Set<string>(Object.values(systemColumns).map(({ name }) => name))
  const names = await session.allOnce(session.dialect.tables.columns(baseId, physicalName))
  return names.flatMap(({ name }) => {
    if (ofEvery.has(name)) return []
    const column = told.get(name)
    if (!column) throw unknown(`the column ${name} of ${baseId}.${physicalName}`)
    return column
  })
}

/** What fields were that are being converted. */
async function conversionSources(session: SqlSession, tableId?: string): Promise<readonly Field[]> {
  const query = session.db.selectFrom('conversions').select('source')
  const rows = await session.allOnce(
    tableId === undefined ? query : query.where('table_id', '=', tableId),
  )
  return rows.map(({ source }) => (JSON.parse(source) as { readonly source: Field }).source)
}

/** The ends at which links were made, by the ids of the fields that made them. */
async function linkEnds(session: SqlSession): Promise<ReadonlyMap<string, LinkEnd>> {
  const rows = await session.allOnce(
    session.db.selectFrom('fields').selectAll().where('type', '=', 'link'),
  )
  const fields = [...(await conversionSources(session)), ...rows.map(fieldColumns.toEntity)]
  const ends = new Map<string, LinkEnd>()
  for (const field of fields) {
    const end = linkCapabilityOf(field)?.endOf(field.options)
    if (end?.isOwner) ends.set(end.ownerFieldId, end)
  }
  return ends
}

/** The end of a link whose fields are gone: nothing is refused of pairs that nobody asks for. */
function noLimit(baseId: string, ownerFieldId: string): LinkEnd {
  return { baseId, ownerFieldId, isOwner: true, relationship: 'manyMany' }
}

function unknown(what: string): StorageRefusedError {
  return new StorageRefusedError(
    `Nothing in the storage says what ${what} is: it was left as it is`,
  )
}
