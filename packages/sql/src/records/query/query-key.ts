import type { QueryPosition, RecordQuery } from '@gateleg/domain/queries/record-query'
import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import { isOfCells } from './within-reach.ts'

/**
 * A text that tells the query from all others of its schema, and whether each value of the position is there; undefined for a
 * query that depends on more than the cells of each record.
 */
export function queryKeyOf(
  { condition, keys, rowOrder }: RecordQuery,
  after: QueryPosition | undefined,
): string | undefined {
  if (!isOfCells(condition)) return undefined
  const isThere = after?.values.map((value) => value !== null)
  return JSON.stringify([condition, keys, rowOrder?.id, isThere], withIdsOfFields)
}

/** Fields stand by their ids: all else of them belongs to the schema. */
function withIdsOfFields(name: string, value: unknown): unknown {
  return name === 'field' || name === 'other' ? (value as SchemaField).field.id : value
}
