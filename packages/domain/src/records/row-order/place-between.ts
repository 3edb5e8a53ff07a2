import { limits } from '../../limits.ts'
import type { RowOrder } from '../../queries/row-order.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { RowPlace } from '../../views/row-order-repository.ts'

/**
 * Places for records in their sequence, all before the right one and behind the left one, if there is one. Undefined
 * where there is no room for them.
 */
export function placesBetween(
  left: number | undefined,
  right: number,
  autoNumbers: readonly number[],
  least = 1 / limits.rowsBetweenNeighbours,
): readonly RowPlace[] | undefined {
  const parts = autoNumbers.length + 1
  const from = left ?? right - parts
  const distance = (right - from) / parts
  if (distance < least) return undefined
  return autoNumbers.map((autoNumber, index) => ({
    autoNumber,
    position: from + distance * (index + 1),
  }))
}

/** Two neighbours between which there is no room, as far as there are any, and what all places stand before. */
interface Gap {
  readonly left: RowPlace | undefined
  readonly right: RowPlace | undefined
  readonly end: number
}

/** Neighbours on each side that are looked at first when room is made. */
const fewNeighbours = 32

/** Room for so many halvings is made at once, so that it isn't made for each record that comes after. */
const roomMade = 1_024

/** A whole table has a distance of one on average, so that this is found long before all of it is renumbered. */
const mostRoomMade = 0.25

/**
 * Places for records between two neighbours, and other places for those around, whose sequence stays: for as many of
 * them as it takes. How many that are goes with how many records were put there before.
 */
export async function makeRoom(
  { rowOrders }: Pick<ReadTx, 'rowOrders'>,
  schema: TableSchema,
  order: RowOrder,
  { left, right, end }: Gap,
  autoNumbers: readonly number[],
): Promise<{ readonly places: readonly RowPlace[]; readonly others: readonly RowPlace[] }> {
  const moved = new Set(autoNumbers)
  const staying = (places: readonly RowPlace[]) =>
    places.filter(({ autoNumber }) => !moved.has(autoNumber))
  for (let take = fewNeighbours; ; take *= 4) {
    const around = async (from: RowPlace | undefined, side: 'before' | 'after') => {
      if (!from) return { places: [], bound: undefined }
      const near = await rowOrders.near(schema, order, from, side, take + moved.size)
      const isAll = near.length < take + moved.size
      const places = staying([from, ...near])
      return isAll
        ? { places, bound: undefined }
        : { places: places.slice(0, -1), bound: places.at(-1) }
    }
    const before = await around(left, 'before')
    const after = await around(right, 'after')
    const sequence = [
      ...before.places.map(({ autoNumber }) => autoNumber).toReversed(),
      ...autoNumbers,
      ...after.places.map(({ autoNumber }) => autoNumber),
    ]
    const isWhole = !before.bound && !after.bound
    const least = isWhole ? 0 : Math.min(mostRoomMade, roomMade / limits.rowsBetweenNeighbours)
    const found = placesBetween(
      before.bound?.position,
      after.bound?.position ?? end,
      sequence,
      least,
    )
    if (!found) continue
    return {
      places: found.filter(({ autoNumber }) => moved.has(autoNumber)),
      others: staying(found),
    }
  }
}
