import type { ItemForm } from '@gateleg/domain/fields/cell-form'
import { limits } from '@gateleg/domain/limits'
import type { Condition } from '@gateleg/domain/queries/condition'
import type { QueryPage, RecordQuery } from '@gateleg/domain/queries/record-query'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { sortIndexKey, valueIndexKeys } from '../../index-demand/wanted-keys.ts'

/** How many records, in the order of a query, are looked at for a page before it is left to long work. */
export interface Reach {
  /** `all` where an index finds what is asked for, and nothing else is looked at. */
  readonly most: number | 'all'
  /** Whether an index has them in that order: those in the trash are not in it, and else count among those looked at. */
  readonly isAlongIndex: boolean
}

/** Whether the page is one that a bounded number of records can tell: what comes after a position, or not far behind. */
export function isNear({ after, skip, take }: QueryPage): boolean {
  return !(after && skip > 0) && skip + take <= limits.recordsSearchedAtOnce
}

/**
 * How far a page that is near can be told from the records that stand first in the order of the query; undefined where
 * nothing has them in that order, or where to look at a record may take long.
 */
export function reachOf(
  schema: TableSchema,
  query: RecordQuery,
  { skip, take }: QueryPage,
  dialect: SqlDialect,
): Reach | undefined {
  const { condition, keys, rowOrder } = query
  const order = sortIndexKey(query, dialect)
  const isInOrder = order === undefined ? keys.length === 0 : schema.indexKeys.has(order)
  if (!isInOrder || rowOrder) return undefined
  const isAlongIndex = order !== undefined
  if (isAlongIndex ? isAlways(condition) : isOfOneValue(schema, condition, dialect))
    return { most: 'all', isAlongIndex }
  if (!isOfCells(condition)) return undefined
  const most = upToPowerOfTwo((skip + take) * limits.recordsProbedPerRecord)
  return { most: Math.min(most, limits.recordsSearchedAtOnce), isAlongIndex }
}

/** It stands in the texts of statements, by which they are planned: there are to be few different ones. */
function upToPowerOfTwo(most: number): number {
  return 2 ** Math.ceil(Math.log2(most))
}

function isAlways(condition: Condition): boolean {
  return condition.kind === 'all' && condition.conditions.every(isAlways)
}

/** Whether an index has the records of the condition one after another, in the order of their numbers. */
function isOfOneValue(schema: TableSchema, condition: Condition, dialect: SqlDialect): boolean {
  const only = indexedPart(schema, condition, dialect)
  const isWhole =
    condition === only || (condition.kind === 'all' && condition.conditions.length === 1)
  return (
    isWhole && only?.kind === 'some' && only.test.kind === 'oneOf' && only.test.values.length === 1
  )
}

/**
 * A part of the condition that holds for all that is asked for, and whose records an index finds by their values;
 * undefined where there is none.
 */
export function indexedPart(
  schema: TableSchema,
  condition: Condition,
  dialect: SqlDialect,
): Condition | undefined {
  if (condition.kind === 'all')
    return condition.conditions.find((part) => indexedPart(schema, part, dialect) === part)
  if (condition.kind !== 'some' || condition.test.kind !== 'oneOf') return undefined
  if (!comparedAsIs.has(condition.field.rules.form.item.kind)) return undefined
  const [key] = valueIndexKeys(condition, [], dialect)
  return key !== undefined && schema.indexKeys.has(key) ? condition : undefined
}

/** Kinds of items whose stored values are compared, and nothing that is made of them: an index has these. */
const comparedAsIs: ReadonlySet<ItemForm['kind']> = new Set(['number', 'choice'])

/** Whether the condition asks for nothing but the cells of each record. */
export function isOfCells(condition: Condition): boolean {
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
