import { limits } from '../../limits.ts'
import { always, type Condition, searchedFields } from '../../queries/condition.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'

/**
 * Says that what follows is long where the table has, or had, many records, or many or long cells that are searched: a
 * query looks at all of them.
 */
export async function becomeLongIfMany(
  tx: Pick<ReadTx, 'recordScanner' | 'recordFinder' | 'becomeLong'>,
  schema: TableSchema,
  condition: Condition = always,
): Promise<void> {
  if (await hasManyToSearch(tx, schema, condition)) tx.becomeLong()
}

/** Whether to look at all records of the table, or at all cells in which something is searched or tested, takes long. */
export async function hasManyToSearch(
  tx: Pick<ReadTx, 'recordScanner' | 'recordFinder'>,
  schema: TableSchema,
  condition: Condition,
): Promise<boolean> {
  const { recordsSearchedAtOnce, cellsSearchedAtOnce } = limits
  const searched = searchedFields(condition).length
  const most = Math.min(recordsSearchedAtOnce, Math.floor(cellsSearchedAtOnce / searched))
  if (await tx.recordScanner.hasHad(schema, most)) return true
  return (await tx.recordFinder.bytesTested(schema, condition)) > limits.bytesTestedAtOnce
}
