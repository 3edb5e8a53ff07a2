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
  for (const group of rare) {
    const own = new Set(group.fields)
    const others = fields.filter((field) => !own.has(field))
    const long: Pair[] = []
    await mapInTurns(tx, group.pairs, (pair) => {
      const length = others.reduce(
        (sum, { column }) => sum + cellLength(pair.before.cells[column.index] ?? 0),
        0,
      )
      ;(length > lengthWrittenAgain ? long : pairs).push(pair)
    })
    if (long.length > 0) apart.push({ fields: group.fields, pairs: long })
  }
  return [...kept, ...apart, ...(pairs.length > 0 ? [{ fields, pairs }] : [])]
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
