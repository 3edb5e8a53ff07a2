import { limits } from '../../limits.ts'
import type { QueryPage, RecordQuery } from '../../queries/record-query.ts'
import type { Column, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { hasManyToSearch } from '../reading/become-long-if-many.ts'
import type { PageRecord } from '../reading/record-finder.ts'
import { systemValues } from './read-ahead.ts'

/**
 * Finds the records of a page of a query. In a table of many records it becomes long, unless an index or the records that
 * stand first in the order of the query are enough: then it takes as long as in a small one. A page of few is read along,
 * with the cells of the columns, all of them where none are named.
 */
export async function findPage(
  tx: Pick<ReadTx, 'recordFinder' | 'recordScanner' | 'becomeLong'>,
  schema: TableSchema,
  query: RecordQuery,
  page: QueryPage,
  columns: readonly Column[] = schema.columns.map(({ column }) => column),
): Promise<readonly PageRecord[]> {
  const values = page.take * (columns.length + systemValues)
  const along = values <= limits.valuesInOneTurn ? columns : undefined
  if (await hasManyToSearch(tx, schema, query.condition)) {
    const found = await tx.recordFinder.findWithinReach(schema, query, page, along)
    if (found) return found
    tx.becomeLong()
  }
  return tx.recordFinder.find(schema, query, page, along)
}
