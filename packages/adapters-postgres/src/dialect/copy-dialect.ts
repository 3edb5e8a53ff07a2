import { dbFieldTypes } from '@gateleg/domain/fields/column-type'
import type { CopyDialect } from '@gateleg/sql/core/dialect/table-dialect'
import { systemColumns } from '@gateleg/sql/record-tables/system-columns'
import { type RawBuilder, sql } from 'kysely'
import { valueTypes } from './column-types.ts'
import { copiedSettings } from './copied-settings.ts'
import { createTable, named, regclassOf } from './create-table.ts'

/** How PostgreSQL names the types of columns by itself. */
const typeNames = { ...valueTypes, DATETIME: 'timestamp(3) with time zone' }

/** Milliseconds for which others may have to wait behind who waits for a table, and seconds from which on a reader is a slow one. */
const waitMsMax = 300
const slowSeconds = 1

const ofEveryTable = Object.values(systemColumns).map(({ name }) => name)

/** The columns that aren't as the product makes them: they fill themselves, refuse to be empty, or have an order of their own. */
function madeColumns(table: RawBuilder<unknown>): RawBuilder<unknown> {
  const order = sql`(select attcollation from pg_attribute where attrelid = ${table} and attname = ${sql.lit(systemColumns.id.name)})`
  const isMade = sql`atthasdef or attnotnull or attidentity <> '' or attcollation not in (0, ${order})`
  const names = sql.join(ofEveryTable.map((name) => sql.lit(name)))
  return sql`select from pg_attribute where attrelid = ${table} and attnum > 0 and not attisdropped and attname not in (${names}) and (${isMade})`
}

/** PostgreSQL counts the columns that a table ever had: one that is worn gives its place to a copy. */
export const copyDialect: CopyDialect = {
  create: createTable,
  columns: (baseId, name) => {
    const isOfTable = sql`attrelid = ${regclassOf(baseId, name)} and attnum > 0 and not attisdropped`
    return sql`select attnum as number, attname::text as name, format_type(atttypid, atttypmod) as type, attrelid::text as origin from pg_attribute where ${isOfTable} order by attnum`
  },
  kinds: new Map(dbFieldTypes.map((type) => [typeNames[type], type])),
  rules: (baseId, name) => {
    const table = regclassOf(baseId, name)
    // How an operator has it stored is left out.
    const says = sql`regexp_replace(substring(pg_get_indexdef(c.oid), ' USING .*'), ' WITH [(][^)]*[)]', '')`
    const indexes = sql`select c.relname::text as name, ${says} as definition from pg_index as i join pg_class as c on c.oid = i.indexrelid where i.indrelid = ${table}`
    return sql`${indexes} union all select conname::text, pg_get_constraintdef(oid) from pg_constraint where conrelid = ${table} and contype = 'c'`
  },
  isUsedByOthers: (baseId, name) => {
    const table = regclassOf(baseId, name)
    const found = [
      // Views and functions name the table; policies, publications and statistics are about it.
      sql`select from pg_depend where refclassid = 'pg_class'::regclass and refobjid = ${table} and classid in ('pg_rewrite'::regclass, 'pg_proc'::regclass, 'pg_policy'::regclass, 'pg_publication_rel'::regclass, 'pg_statistic_ext'::regclass)`,
      // Citus has a trigger of its own.
      sql`select from pg_trigger where tgrelid = ${table} and not tgisinternal`,
      sql`select from pg_constraint where contype = 'f' and ${table} in (conrelid, confrelid)`,
      sql`select from pg_inherits where ${table} in (inhrelid, inhparent)`,
      madeColumns(table),
    ]
    return sql`select ${sql.join(
      found.map((one) => sql`exists (${one})`),
      sql` or `,
    )} as found`
  },
  settings: copiedSettings,
  // A row that is changed is a new one, of another transaction, at another place. Both together tell it even where all rows
  // have come to another machine, whose transactions have other numbers.
  versions: [
    { name: 'xmin', type: 'xid' },
    { name: 'ctid', type: 'tid' },
  ],
  // All that were begun before the oldest one of today have ended, and a look sees what they left. One that is too old to be compared
  // counts as new.
  lookBegins: (baseId, name) =>
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, pg_relation_filenode(${regclassOf(baseId, name)})::text as file`,
  isSince: ({ horizon }) => sql`age(xmin) <= age(${sql.lit(horizon)}::xid8::xid)`,
  // Citus commits on one machine after another.
  isSeenAtOnce: sql`select to_regclass('pg_dist_partition') is null as found`,
  position: sql`select (pg_current_xact_id()::xid)::text as position`,
  isReadAsBefore: (position, baseId, name) => {
    const others = sql`datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
    const seesBefore = sql`backend_xmin is not null and age(backend_xmin) >= age(${sql.lit(position)}::xid)`
    const holdsTable = sql`pid in (select pid from pg_locks where relation = ${regclassOf(baseId, name)})`
    const isSlow = sql`${holdsTable} and xact_start < clock_timestamp() - make_interval(secs => ${sql.lit(slowSeconds)})`
    return sql`select exists (select from pg_stat_activity where ${others} and (${seesBefore} or ${isSlow})) as found`
  },
  beQuick: sql`select set_config('lock_timeout', ${sql.lit(String(waitMsMax))}, true)`,
  renameTable: (baseId, from, to) =>
    sql`alter table ${named(baseId, from)} rename to ${sql.id(to)}`,
  renameIndex: (baseId, from, to) =>
    sql`alter index ${named(baseId, from)} rename to ${sql.id(to)}`,
}
