import type { ReadTx } from '../store.ts'

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
  const results: Result[] = []
  let length = 0
  // Counted, not by entries(): that would make a list for each of thousands of items.
  let index = 0
  for (const item of items) {
    results.push(toResult(item, index++))
    length += lengthOf(item)
    if (index % itemsPerTurn !== 0 && length < lengthPerTurn) continue
    length = 0
    await tx.giveWay()
  }
  return results
}
