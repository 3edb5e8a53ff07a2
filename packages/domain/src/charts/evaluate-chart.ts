import type { Cell, People } from '../fields/cell.ts'
import { groupIdentityOf } from '../queries/group-identity.ts'
import { sortTextLength, sortValuesOf } from '../queries/sort-keys.ts'
import {
  type Measured,
  type MeasureKind,
  measuresOf,
  statisticFrom,
} from '../queries/statistics.ts'
import { evaluateMeasure } from '../records/evaluation/evaluate-measure.ts'
import { meetsCondition } from '../records/evaluation/meets-condition.ts'
import { cellOf } from '../records/stored/cell-of.ts'
import { bareRecord, type StoredRecord } from '../records/stored/stored-record.ts'
import { compareRows, fieldKeysOf } from './chart-order.ts'
import { type ChartJoin, type ChartQuery, type FoundRow, isSummary } from './chart-query.ts'

/** A row: the record of each table, null where it has none. */
type Row = readonly (StoredRecord | null)[]

/**
 * The rows that a chart asks for, computed row by row: what storages answer must equal it. Takes the living records of
 * each table, by their numbers.
 */
export function evaluateChart(
  query: ChartQuery,
  recordsOf: readonly (readonly StoredRecord[])[],
  people: Pick<People, 'name'>,
): readonly FoundRow[] {
  const { rows, condition, groupBy, statistics, order, limit, offset } = query
  const first: readonly Row[] = (recordsOf[0] ?? []).map((record) => [record])
  const joined = rows.joins.reduce(
    (before, join, index) => joinedWith(before, join, recordsOf[index + 1] ?? [], index + 1),
    first,
  )
  const met = joined.filter((row) => meetsCondition(condition, asRecord(query, row), people))
  const groups = isSummary(query) ? groupsOf(query, met) : met.map((row) => [row])
  const keys = fieldKeysOf(query)
  const found = groups.map((group) => {
    const values = statistics.map(({ field, statistic }) => {
      const measured: Partial<Record<MeasureKind, Measured>> = {}
      const records = group.map((row) => asRecord(query, row))
      for (const kind of measuresOf(statistic)) {
        measured[kind] = evaluateMeasure({ field: field.inRow, kind }, records)
      }
      return statisticFrom(statistic, group.length, measured)
    })
    const sample = asRecord(query, group[0] ?? [])
    const fields = keys.map((key) =>
      sortValuesOf(
        key,
        group.length === 0 ? null : cellOf(key.field, sample),
        people,
        sortTextLength(key, keys),
      ),
    )
    const firsts = rows.tables.map((_, table) => firstOf(group, table))
    return { firsts, statistics: values, fields }
  })
  const isGrouped = groupBy.length > 0
  return found
    .map((row) => ({ ...row, numbers: row.firsts.map((one) => one?.autoNumber ?? null) }))
    .toSorted(compareRows(order))
    .slice(offset, offset + limit)
    .map(({ firsts, statistics: values }) => ({
      recordIds: isGrouped || !isSummary(query) ? firsts.map((one) => one?.id ?? null) : [],
      statistics: values,
    }))
}

/** The rows with the records of another table, each with each that is alike. */
function joinedWith(
  rows: readonly Row[],
  join: ChartJoin,
  records: readonly StoredRecord[],
  table: number,
): readonly Row[] {
  const { type, earlier, own } = join
  // As in a filter that compares two fields of one record.
  const fields = [
    { ...earlier.own, column: { name: '', type: 'TEXT', index: 0 }, systemColumn: undefined },
    { ...own.own, column: { name: '', type: 'TEXT', index: 1 }, systemColumn: undefined },
  ] as const
  const condition = {
    kind: 'compared',
    field: fields[0],
    other: fields[1],
    comparison: 'equal',
  } as const
  const isAlike = (row: Row, record: StoredRecord) => {
    const before = row[earlier.table]
    const cells = [before ? cellOf(earlier.own, before) : null, cellOf(own.own, record)]
    return meetsCondition(condition, { ...record, cells }, { name: () => undefined })
  }
  const matched = rows.map((row) => records.filter((record) => isAlike(row, record)))
  const both = rows.flatMap((row, index) =>
    (matched[index] ?? []).map((record) => [...row, record]),
  )
  const keepsRows = type === 'LEFT JOIN' || type === 'FULL JOIN'
  const keepsRecords = type === 'RIGHT JOIN' || type === 'FULL JOIN'
  const taken = new Set(matched.flat())
  return [
    ...both,
    ...(keepsRows ? rows.filter((_, index) => matched[index]?.length === 0) : []).map((row) => [
      ...row,
      null,
    ]),
    ...(keepsRecords ? records.filter((record) => !taken.has(record)) : []).map((record) => [
      ...new Array<null>(table).fill(null),
      record,
    ]),
  ]
}

/** A row as one record: its cells are those of the fields that rows have. */
function asRecord({ rows }: ChartQuery, row: Row): StoredRecord {
  const cells = rows.fields.map(({ own, table }): Cell | null => {
    const record = row[table]
    return record ? cellOf(own, record) : null
  })
  return bareRecord('', 0, cells)
}

/** All rows are one group where there is nothing to group by. */
function groupsOf(query: ChartQuery, rows: readonly Row[]): readonly (readonly Row[])[] {
  if (query.groupBy.length === 0) return [rows]
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const record = asRecord(query, row)
    const identities = query.groupBy.map(({ inRow }) =>
      groupIdentityOf(inRow.rules.form, cellOf(inRow, record)),
    )
    const key = JSON.stringify(identities)
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(row)
  }
  return [...groups.values()]
}

/** The first record of a table in rows. */
function firstOf(rows: readonly Row[], table: number): StoredRecord | null {
  const records = rows.flatMap((row) => row[table] ?? [])
  return records.reduce<StoredRecord | null>(
    (first, record) => (first && first.autoNumber <= record.autoNumber ? first : record),
    null,
  )
}
