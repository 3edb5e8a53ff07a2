import type { ReadTx } from '../store.ts'

/** Items that are worked on before it is seen whether others should have their turn: far below 10 ms as a rule. */
const itemsPerTurn = 32

/** As `map` of a list; others have their turn in between, so that a long list holds nobody up. */
export async function mapInTurns<Item, Result>(
  tx: Pick<ReadTx, 'giveWay'>,
  items: readonly Item[],
  toResult: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    results.push(toResult(item, index))
    if ((index + 1) % itemsPerTurn === 0) await tx.giveWay()
  }
  return results
}
