import type { People } from '../../fields/cell.ts'
import type {
  FoundRecord,
  QueryPage,
  QueryPosition,
  RecordQuery,
} from '../../queries/record-query.ts'
import {
  type SortKey,
  sortTextLength,
  sortValueCount,
  sortValuesOf,
} from '../../queries/sort-keys.ts'
import type { SortValue } from '../../queries/sort-value.ts'
import { compareCodePoints } from '../../values/text.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { meetsCondition } from './meets-condition.ts'

/** The page of the records that a query asks for, computed record by record: what storages answer must equal it. */
export function evaluateQuery(
  records: readonly StoredRecord[],
  { condition, keys, rowOrder }: RecordQuery,
  { after, skip, take }: QueryPage,
  people: Pick<People, 'name'>,
  noted: NotedPositions = new Map(),
): readonly FoundRecord[] {
  const compare = positionOrder(keys)
  const places = rowOrder && noted
  return records
    .filter((record) => meetsCondition(condition, record, people))
    .map((record) => ({ id: record.id, ...positionOf(record, keys, people, places) }))
    .toSorted(compare)
    .filter((found) => after === undefined || compare(after, found) < 0)
    .slice(skip, skip + take)
}

/** The places that a row order notes, by the numbers of records. */
export type NotedPositions = ReadonlyMap<number, number>

/** Where a record stands in the order of the keys, and of a row order, where its noted places are given. */
export function positionOf(
  record: StoredRecord,
  keys: readonly SortKey[],
  people: Pick<People, 'name'>,
  noted?: NotedPositions,
): QueryPosition {
  const { autoNumber } = record
  const values = keys.flatMap((key) =>
    sortValuesOf(key, cellOf(key.field, record), people, sortTextLength(key, keys)),
  )
  return { values: noted ? [...values, noted.get(autoNumber) ?? autoNumber] : values, autoNumber }
}

/** Orders positions by the keys: empty first upwards, last downwards; those that are alike by their places and numbers. */
export function positionOrder(
  keys: readonly SortKey[],
): (a: QueryPosition, b: QueryPosition) => number {
  const directions = keys.flatMap((key) =>
    new Array<number>(sortValueCount(key)).fill(key.isDescending ? -1 : 1),
  )
  return (a, b) => {
    for (const [index, direction] of directions.entries()) {
      const order = compareValues(a.values[index] ?? null, b.values[index] ?? null)
      if (order !== 0) return order * direction
    }
    const place = directions.length
    const order = compareValues(a.values[place] ?? null, b.values[place] ?? null)
    if (order !== 0) return order
    return a.autoNumber - b.autoNumber
  }
}

function compareValues(a: SortValue, b: SortValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  return compareCodePoints(a, b)
}
