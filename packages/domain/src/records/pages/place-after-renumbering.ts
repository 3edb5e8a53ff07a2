import type { QueryPosition } from '../../queries/record-query.ts'
import type { RowOrder } from '../../queries/row-order.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'

/** A position that was noted, and the version of the view then. */
export type NotedPosition = QueryPosition & { readonly viewVersion: number }

/**
 * A position that was noted, as it is now: records that nobody moved may have got other places since, and then it is
 * where its record stands. Undefined where that one was moved itself, so that nothing tells any more where the walk was.
 */
export async function placeAfterRenumbering(
  tx: Pick<ReadTx, 'rowOrders'>,
  { baseId }: TableSchema,
  { id, renumberedVersion }: RowOrder,
  { values, autoNumber, viewVersion }: NotedPosition,
): Promise<QueryPosition | undefined> {
  if (viewVersion >= renumberedVersion) return { values, autoNumber }
  const noted = (await tx.rowOrders.notedOf(baseId, id, [autoNumber])).get(autoNumber)
  if (noted && noted.movedVersion > viewVersion) return undefined
  return { values: [...values.slice(0, -1), noted?.position ?? autoNumber], autoNumber }
}
