import { limits } from '../../limits.ts'
import type { RecordQuery } from '../../queries/record-query.ts'
import type { SortKey } from '../../queries/sort-keys.ts'
import type { SortValue } from '../../queries/sort-value.ts'
import type { Column, SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { findPeople, noteUsers } from '../find-people.ts'
import type { StoredRecord } from '../stored-record.ts'
import { becomeLongIfMany } from './become-long-if-many.ts'
import { positionOf, positionOrder } from './evaluate-query.ts'

/** A group of the innermost fields. */
export interface RecordGroup {
  /** Of each field, what tells it from other groups: see `groupIdentityOf`. */
  readonly identities: readonly SortValue[]
  /** How many records it has. */
  readonly records: number
  /** One of them, with its cells of these fields alone. */
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
  const grouping = { fields, measures: [], most: limits.groups + 1 }
  const found = await tx.recordFinder.groups(schema, query.condition, grouping)
  if (found.length > limits.groups) return undefined
  const ids = found.map(({ firstId }) => firstId)
  const samples = await readSamples(tx, schema, ids, fields)
  if (!samples) return undefined
  const userIds = new Set<string>()
  for (const field of fields) noteUsers(field, samples.values(), userIds)
  const people = await findPeople(tx, userIds)
  const groups = found.flatMap(({ identities, records, firstId }) => {
    const sample = samples.get(firstId)
    return sample ? [{ identities, records, sample, ...positionOf(sample, keys, people) }] : []
  })
  await tx.giveWay()
  return groups.toSorted(positionOrder(keys))
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
