import type { Condition } from '../../queries/condition.ts'
import type { FoundRecord } from '../../queries/record-query.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { becomeLongIfMany } from '../reading/become-long-if-many.ts'

/** The records of the condition, which holds for none but those of the ids, in the order of these. */
export async function findInOrder(
  tx: ReadTx,
  schema: TableSchema,
  condition: Condition,
  ids: readonly string[],
): Promise<readonly FoundRecord[]> {
  await becomeLongIfMany(tx, schema, condition)
  const all = { skip: 0, take: ids.length }
  const found = await tx.recordFinder.find(schema, { condition, keys: [] }, all)
  const byId = new Map(found.map((record) => [record.id, record]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
