import type { Timestamp } from '../clock.ts'
import type { Ids } from '../ids.ts'
import { searchKey } from '../schemas/search-key.ts'
import type { ReadTx, WriteTx } from '../store.ts'
import type { Table } from '../tables/table.ts'
import { scheduleSettling } from './settle-index.ts'
import type { TableIndex } from './table-index.ts'

/** What having an index made or removed takes. */
export interface IndexContext {
  readonly tx: Pick<WriteTx, 'tableIndexes' | 'tables' | 'jobs'>
  readonly now: Timestamp
  readonly ids: Pick<Ids, 'revision'>
}

/** The index of searches of a table, where there is one, or one is being made. */
export async function findSearchIndex(
  { tableIndexes }: Pick<ReadTx, 'tableIndexes'>,
  tableId: string,
): Promise<TableIndex | undefined> {
  const indexes = await tableIndexes.listOf(tableId)
  return indexes.find(({ key, state }) => key === searchKey && state !== 'unwanted')
}

/** Has an index of the key made in the background. One that is about to go is made anew. */
export async function wantIndex(
  { tx, now }: Pick<IndexContext, 'tx' | 'now'>,
  { id: tableId, baseId }: Table,
  key: string,
): Promise<void> {
  const name = tx.tableIndexes.nameOf(tableId, key)
  const times = { usedTime: now, checkedTime: now }
  const index = { name, tableId, baseId, key, state: 'wanted', definition: '', ...times } as const
  await tx.tableIndexes.save(index)
  await scheduleSettling(tx, index, now)
}

/** Has an index removed in the background. Nobody counts on it from now on. */
export async function unwantIndex(
  { tx, now, ids }: IndexContext,
  index: TableIndex,
  table: Table | undefined,
): Promise<void> {
  await tx.tableIndexes.save({ ...index, state: 'unwanted', checkedTime: now })
  if (table && (index.state === 'ready' || index.state === 'begun'))
    await tx.tables.renewSchema(table.id, ids.revision())
  await scheduleSettling(tx, index, now)
}
