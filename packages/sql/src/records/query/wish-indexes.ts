import type { Condition } from '@gateleg/domain/queries/condition'
import type { SchemaField, TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import type { IndexDemands } from '../../index-demand/index-demand.ts'
import { valueIndexKeys } from '../../index-demand/wanted-keys.ts'

/** What a query could use indexes for: what the first of a sort orders by is in its index already. */
interface Wished {
  readonly condition: Condition
  readonly groupFields?: readonly SchemaField[]
  readonly order?: string | undefined
}

/** Notes which indexes would help. */
export function wishIndexes(
  demand: IndexDemands,
  dialect: SqlDialect,
  schema: TableSchema,
  { condition, groupFields = [], order }: Wished,
): void {
  const keys = new Set(valueIndexKeys(condition, groupFields, dialect))
  if (order !== undefined) keys.add(order)
  for (const key of keys) demand.note(schema, key)
}
