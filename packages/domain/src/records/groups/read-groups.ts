import type { Cell } from '../../fields/cell.ts'
import { limits } from '../../limits.ts'
import { cellToldBy, tellsCells } from '../../queries/group-identity.ts'
import type { RecordQuery } from '../../queries/record-query.ts'
import type { SortKey } from '../../queries/sort-keys.ts'
import type { SortValue } from '../../queries/sort-value.ts'
import type { Column, SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { positionOf, positionOrder } from '../evaluation/evaluate-query.ts'
import { becomeLongIfMany } from '../reading/become-long-if-many.ts'
import { findPeople, noteUsers } from '../reading/find-people.ts'
import type { FoundGroup } from '../reading/record-finder.ts'
import { bareRecord, type StoredRecord } from '../stored/stored-record.ts'

/** A group of the innermost fields. */
export interface RecordGroup {
  /** Of each field, what tells it from other groups: see `groupIdentityOf`. */
  readonly identities: readonly SortValue[]
  /** How many records it has. */
  readonly records: number
  /** One of them, or what stands for it, with its cells of these fields alone. */
  readonly sample: StoredRecord
}

/** The keys by which a query groups records, the outermost first. */
export function groupKeysOf({ keys }: RecordQuery): readonly SortKey[] {
  return keys.filter(({ isGroup }) => isGroup)
}

/**
 * The groups of what a query finds, in its order. Undefined where there are more than `limits.groups`, or their cells
 * take more than `limits.groupsLength`.
 */
export async function readGroups(
  tx: ReadTx,
  schema: TableSchema,
  query: RecordQuery,
): Promise<readonly RecordGroup[] | undefined> {
  const keys = groupKeysOf(query)
  const fields = keys.map(({ field }) => field)
  await becomeLongIfMany(tx, schema, query.condition)
  const withFirsts = !fields.every(({ column, rules }) => column && tellsCells(rules.form))
  const grouping = { fields, measures: [], most: limits.groups + 1, withFirsts }
  const found = await tx.recordFinder.groups(schema, query.condition, grouping)
  if (found.length > limits.groups) return undefined
  const groups = withFirsts
    ? await withFirstRecords(tx, schema, found, fields)
    : found.map((group) => ({ ...group, sample: recordOf(schema, fields, group.identities) }))
  if (!groups) return undefined
  const samples = groups.map(({ sample }) => sample)
  const userIds = new Set<string>()
  for (const field of fields) noteUsers(field, samples, userIds)
  const people = await findPeople(tx, userIds)
  const placed = groups.map((group) => ({ ...group, ...positionOf(group.sample, keys, people) }))
  await tx.giveWay()
  return placed.toSorted(positionOrder(keys))
}

/** Each group with its first record; undefined where these are too long. */
async function withFirstRecords(
  tx: ReadTx,
  schema: TableSchema,
  groups: readonly FoundGroup[],
  fields: readonly SchemaField[],
): Promise<readonly RecordGroup[] | undefined> {
  const ids = groups.flatMap(({ firstId }) => firstId ?? [])
  const samples = await readSamples(tx, schema, ids, fields)
  return (
    samples &&
    groups.flatMap((group) => {
      const sample = samples.get(group.firstId ?? '')
      return sample ? [{ ...group, sample }] : []
    })
  )
}

/** What all records of a group have in the fields, whose cells its identities tell: without reading any of them. */
function recordOf(
  schema: TableSchema,
  fields: readonly SchemaField[],
  identities: readonly SortValue[],
): StoredRecord {
  const cells = schema.columns.map((): Cell | null => null)
  for (const [index, { column, rules }] of fields.entries()) {
    if (column) cells[column.index] = cellToldBy(rules.form, identities[index] ?? null)
  }
  return bareRecord('', 0, cells)
}

/** Records that are read before others may have their turn. */
const samplesPerTurn = 250

/** The records of the ids with the cells of the fields alone; undefined where these are too long. */
export async function readSamples(
  tx: ReadTx,
  schema: TableSchema,
  ids: readonly string[],
  fields: readonly SchemaField[],
): Promise<ReadonlyMap<string, StoredRecord> | undefined> {
  const columns = fields.flatMap(({ column }): Column[] => (column ? [column] : []))
  const samples = new Map<string, StoredRecord>()
  let size = 0
  for (let start = 0; start < ids.length; start += samplesPerTurn) {
    const asked = ids.slice(start, start + samplesPerTurn)
    const batch = await tx.records.findAll(schema, asked, 'none', columns)
    size += batch.size
    if (batch.isCut || size > limits.groupsLength) return undefined
    for (const record of batch.records) samples.set(record.id, record)
    await tx.giveWay()
  }
  return samples
}
