import type { Condition } from '@gateleg/domain/queries/condition'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { sql } from 'kysely'
import type { SqlSession } from '../../core/session.ts'
import type { IndexDemands } from '../../index-demand/index-demand.ts'
import { isLiving } from '../../record-tables/is-living.ts'
import { recordTableOf } from '../../record-tables/record-table.ts'
import { candidatesSql, type LookedFor, lookedForIn } from '../../signatures/candidates-sql.ts'
import type { MeasuredRows } from '../expressions/measure-sql.ts'
import { conditionSql } from './condition-sql.ts'

/**
 * The living records of a table that the condition holds for, as `t`; where something is looked for in them, those may
 * be left out that don't show it.
 */
export async function rowsMeeting(
  session: SqlSession,
  demand: IndexDemands,
  schema: TableSchema,
  condition: Condition,
  search: LookedFor | undefined = lookedForIn(condition),
): Promise<MeasuredRows> {
  const { dialect } = session
  const isCandidate = search && (await candidatesSql(session, demand, schema, search))
  const conditions = [
    isLiving,
    ...(isCandidate ? [isCandidate] : []),
    conditionSql(condition, dialect),
  ]
  const where = sql`${sql.join(conditions, sql` and `)}`
  return { table: recordTableOf(schema, dialect).name, where }
}
