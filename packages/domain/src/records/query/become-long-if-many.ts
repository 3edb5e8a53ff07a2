import { limits } from '../../limits.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'

/** Says that what follows is long where the table has, or had, many records: a query looks at all of them. */
export async function becomeLongIfMany(
  tx: Pick<ReadTx, 'recordScanner' | 'becomeLong'>,
  schema: TableSchema,
): Promise<void> {
  if ((await tx.recordScanner.lastNumber(schema)) > limits.recordsSearchedAtOnce) tx.becomeLong()
}
