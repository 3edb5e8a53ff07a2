import { sql } from 'kysely'
import { systemColumns } from './system-columns.ts'

/** The condition for a record that isn't deleted, and for a pair of records that are linked. */
export const isLiving = sql`${sql.id(systemColumns.deletionId.name)} is null`
