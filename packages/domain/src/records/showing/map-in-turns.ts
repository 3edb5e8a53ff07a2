import type { ReadTx } from '../../store.ts'

/** Items that are worked on before it is seen whether others should have their turn: far below 10 ms as a rule. */
const itemsPerTurn = 32

/** Characters of items after which that is seen sooner. */
const lengthPerTurn = 32_768

/**
 * As `map` of a list; others have their turn in between, so that a long list holds nobody up. Where an item may
 * be long, `lengthOf` says how many characters it has, roughly.
 */
export async function mapInTurns<Item, Result>(
  tx: Pick<ReadTx, 'giveWay'>,
  items: readonly Item[],
  toResult: (item: Item, index: number) => Result,
  lengthOf: (item: Item) => number = () => 0,
): Promise<Result[]> {
  // As long as it becomes, and by places: a list that grows, and an iterator, make garbage with each of thousands of items.
  const results: Result[] = new Array(items.length)
  let length = 0
  for (let index = 0; index < items.length; ) {
    const item = items[index] as Item
    results[index] = toResult(item, index)
    index++
    length += lengthOf(item)
    if (index % itemsPerTurn !== 0 && length < lengthPerTurn) continue
    length = 0
    await tx.giveWay()
  }
  return results
}
