import type { FoundRecord, QueryPage, RecordQuery } from '../../queries/record-query.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { hasManyToSearch } from './become-long-if-many.ts'

/**
 * Finds the records of a page of a query. In a table of many records it becomes long, unless an index or the records that
 * stand first in the order of the query are enough: then it takes as long as in a small one.
 */
export async function findPage(
  tx: Pick<ReadTx, 'recordFinder' | 'recordScanner' | 'becomeLong'>,
  schema: TableSchema,
  query: RecordQuery,
  page: QueryPage,
): Promise<readonly FoundRecord[]> {
  if (await hasManyToSearch(tx, schema, query.condition)) {
    const found = await tx.recordFinder.findWithinReach(schema, query, page)
    if (found) return found
    tx.becomeLong()
  }
  return tx.recordFinder.find(schema, query, page)
}
