import { readDeletedTitles } from '../../records/reading/read-titles.ts'
import type { ReadTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'

/** What links would show of deleted records of the table; those that have no title there have an empty name. */
export async function namesOfDeleted(
  tx: ReadTx,
  table: Table,
  recordIds: readonly string[],
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const schema = await tx.fields.schemaOf(table)
  const titles = await readDeletedTitles(tx, schema, recordIds)
  return titles.map(({ id, title = '' }) => ({ id, name: title }))
}
