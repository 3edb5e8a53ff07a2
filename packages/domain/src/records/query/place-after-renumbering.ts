import { invalidAt } from '../../errors.ts'
import type { QueryPosition } from '../../queries/record-query.ts'
import type { RowOrder } from '../../queries/row-order.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'

/**
 * The position of a cursor now: records that nobody moved may have got other places since it was made, and then it is
 * where its record stands. Throws validation_error where that one was moved itself, so that nothing tells any more
 * where the walk was.
 */
export async function placeAfterRenumbering(
  tx: Pick<ReadTx, 'rowOrders'>,
  { baseId }: TableSchema,
  { id, renumberedVersion }: RowOrder,
  { values, autoNumber, viewVersion }: QueryPosition & { readonly viewVersion: number },
): Promise<QueryPosition> {
  if (viewVersion >= renumberedVersion) return { values, autoNumber }
  const noted = (await tx.rowOrders.notedOf(baseId, id, [autoNumber])).get(autoNumber)
  if (noted && noted.movedVersion > viewVersion) {
    throw invalidAt(
      ['cursor'],
      'leads nowhere any more, because many rows of the view were moved: begin with the first page',
    )
  }
  return { values: [...values.slice(0, -1), noted?.position ?? autoNumber], autoNumber }
}
