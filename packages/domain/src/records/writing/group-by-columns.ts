import { cellLength } from '../../fields/cells/cell-length.ts'
import { limits } from '../../limits.ts'
import type { Column, ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { RecordChange } from '../record-writer.ts'
import { mapInTurns } from '../showing/map-in-turns.ts'
import { isSameCell } from '../stored/is-same-cell.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/** Changes of records in the same columns: one statement makes many of them. */
export interface ColumnGroup {
  readonly columns: readonly Column[]
  readonly changes: readonly RecordChange[]
}

/** A record before and after its change. */
interface Pair {
  readonly before: StoredRecord
  readonly after: StoredRecord
}

/** Records that change in the same columns. */
interface SameColumns {
  readonly fields: readonly ColumnField[]
  readonly pairs: Pair[]
}

/** Characters of cells that stay as they are which are written with a record, so that it needs no statement of its own. */
const lengthWrittenAgain = 2_000

/**
 * The changes by the columns in which they are made, both lists of records having the same order. Where there are many sets of
 * columns, what has the rarest ones is written together, with cells of these columns that stay as they are: else callers who
 * leave out something else of each record would have each written by a statement of its own.
 */
export async function groupByColumns(
  tx: Pick<ReadTx, 'giveWay'>,
  schema: Pick<TableSchema, 'columns'>,
  before: readonly StoredRecord[],
  after: readonly StoredRecord[],
): Promise<readonly ColumnGroup[]> {
  const groups = new Map<string, SameColumns>()
  await mapInTurns(tx, after, (record, index) => {
    const earlier = before[index] ?? record
    const isChanged = ({ column: { index } }: ColumnField) =>
      !isSameCell(earlier.cells[index] ?? null, record.cells[index] ?? null)
    const fields = schema.columns.filter(isChanged)
    const signature = fields.map(({ column }) => column.index).join()
    const group = groups.get(signature) ?? { fields, pairs: [] }
    group.pairs.push({ before: earlier, after: record })
    groups.set(signature, group)
  })
  return (await inFewGroups(tx, schema, [...groups.values()])).map(toColumnGroup)
}

/** The groups with the most records, and one of those that have the rest; what can't be in that stays apart. */
async function inFewGroups(
  tx: Pick<ReadTx, 'giveWay'>,
  schema: Pick<TableSchema, 'columns'>,
  groups: readonly SameColumns[],
): Promise<readonly SameColumns[]> {
  if (groups.length <= limits.columnSetsPerWrite) return groups
  const sorted = groups.toSorted((a, b) => b.pairs.length - a.pairs.length)
  const kept = sorted.slice(0, limits.columnSetsPerWrite - 1)
  const apart: SameColumns[] = []
  const rare: SameColumns[] = []
  for (const group of sorted.slice(kept.length)) {
    // What a cell holds that the background is about to fill is its own affair.
    const isFilled = group.fields.some(({ field }) => field.isPending)
    ;(isFilled ? apart : rare).push(group)
  }
  const union = new Set(rare.flatMap(({ fields }) => fields))
  const fields = schema.columns.filter((field) => union.has(field))
  const pairs: Pair[] = []
  const long: SameColumns[] = []
  for (const group of rare) {
    const own = new Set(group.fields)
    const others = fields.filter((field) => !own.has(field))
    const withLong: Pair[] = []
    await mapInTurns(tx, group.pairs, (pair) => {
      const length = others.reduce((sum, field) => sum + lengthBefore(pair, field), 0)
      ;(length > lengthWrittenAgain ? withLong : pairs).push(pair)
    })
    if (withLong.length > 0) long.push({ fields: group.fields, pairs: withLong })
  }
  const together = pairs.length > 0 ? [{ fields, pairs }] : []
  return [...kept, ...apart, ...(await byLongColumns(tx, fields, long)), ...together]
}

/** Groups of records that have long cells in some of the fields: those together that change in the same ones of these. */
async function byLongColumns(
  tx: Pick<ReadTx, 'giveWay'>,
  fields: readonly ColumnField[],
  groups: readonly SameColumns[],
): Promise<readonly SameColumns[]> {
  const longest = new Map(fields.map((field) => [field, 0]))
  for (const group of groups) {
    const own = new Set(group.fields)
    const others = fields.filter((field) => !own.has(field))
    await mapInTurns(tx, group.pairs, (pair) => {
      for (const field of others) {
        longest.set(field, Math.max(longest.get(field) ?? 0, lengthBefore(pair, field)))
      }
    })
  }
  const short = new Set<ColumnField>()
  let length = 0
  for (const [field, most] of [...longest].toSorted(([, a], [, b]) => a - b)) {
    length += most
    if (length <= lengthWrittenAgain) short.add(field)
  }
  const writtenIn = ({ fields: own }: SameColumns) => {
    const changed = new Set(own)
    return fields.filter((field) => short.has(field) || changed.has(field))
  }
  const alike = Map.groupBy(groups, (group) =>
    writtenIn(group)
      .map(({ column }) => column.index)
      .join(),
  )
  return [...alike.values()].flatMap((some) => {
    const [first, second] = some
    if (!first || !second) return some
    return [{ fields: writtenIn(first), pairs: some.flatMap(({ pairs }) => pairs) }]
  })
}

function lengthBefore({ before }: Pair, { column }: ColumnField): number {
  return cellLength(before.cells[column.index] ?? 0)
}

function toColumnGroup({ fields, pairs }: SameColumns): ColumnGroup {
  return {
    columns: fields.map(({ column }) => column),
    changes: pairs.map(({ before, after: { autoNumber, cells } }) => ({
      autoNumber,
      values: fields.map(({ column }) => cells[column.index] ?? null),
      before: before.cells,
    })),
  }
}
