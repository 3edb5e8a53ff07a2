import { sql } from 'kysely'

/** Where the records of a row of `tables` lie now, in a query. */
export const physicalName = sql<string>`coalesce(tables.rebuilt_name, tables.db_table_name)`.as(
  'physical_name',
)
