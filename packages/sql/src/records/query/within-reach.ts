import { limits } from '@gateleg/domain/limits'
import type { Condition } from '@gateleg/domain/queries/condition'
import type { QueryPage, RecordQuery } from '@gateleg/domain/queries/record-query'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { sortIndexKey, valueIndexKeys } from '../../indexes/wanted-keys.ts'

/** How many records, in the order of a query, are looked at for a page before it is left to long work. */
export interface Reach {
  /** `all` where an index finds what is asked for, and nothing else is looked at. */
  readonly most: number | 'all'
  /** Whether an index has them in that order: those in the trash are not in it, and else count among those looked at. */
  readonly isAlongIndex: boolean
}

/**
 * How far a page can be told from the records that stand first in the order of the query; undefined where nothing has them
 * in that order, or where to look at a record may take long.
 */
export function reachOf(
  schema: TableSchema,
  query: RecordQuery,
  { after, skip, take }: QueryPage,
  dialect: SqlDialect,
): Reach | undefined {
  const { condition, keys, rowOrder } = query
  const order = sortIndexKey(query, dialect)
  const isInOrder = order === undefined ? keys.length === 0 : schema.indexKeys.has(order)
  const records = skip + take
  if (!isInOrder || rowOrder || (after && skip > 0) || records > limits.recordsSearchedAtOnce)
    return undefined
  const isAlongIndex = order !== undefined
  if (isAlongIndex ? isAlways(condition) : isFoundByIndex(schema, condition, dialect))
    return { most: 'all', isAlongIndex }
  if (!isOfCells(condition)) return undefined
  const most = records * limits.recordsProbedPerRecord
  return { most: Math.min(most, limits.recordsSearchedAtOnce), isAlongIndex }
}

function isAlways(condition: Condition): boolean {
  return condition.kind === 'all' && condition.conditions.every(isAlways)
}

/** Whether an index has the records of the condition one after another, in the order of their numbers. */
function isFoundByIndex(schema: TableSchema, condition: Condition, dialect: SqlDialect): boolean {
  if (condition.kind === 'all' && condition.conditions.length === 1)
    return condition.conditions.every((only) => isFoundByIndex(schema, only, dialect))
  if (condition.kind !== 'some') return false
  const { test } = condition
  if (test.kind !== 'oneOf' || test.values.length !== 1) return false
  const [key] = valueIndexKeys(condition, [], dialect)
  return key !== undefined && schema.indexKeys.has(key)
}

/** Whether the condition asks for nothing but the cells of each record. */
function isOfCells(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.every(isOfCells)
    case 'not':
      return isOfCells(condition.condition)
    case 'empty':
    case 'some':
    case 'every':
    case 'compared':
      return true
    default:
      return false
  }
}
