import { median } from './statistics.ts'

/** Measures one side once. */
export type Turn = (round: number) => Promise<number>

/**
 * Gives every side one turn per round, in changing order, so that what else the machine does meanwhile
 * hits all of them alike. The first round warms up and doesn't count. Answers each side's values, round
 * by round.
 */
export async function inTurns<Side extends string>(
  rounds: number,
  turns: Readonly<Record<Side, Turn>>,
): Promise<Readonly<Record<Side, readonly number[]>>> {
  const sides = Object.keys(turns) as Side[]
  const values = Object.fromEntries(sides.map((side) => [side, []])) as unknown as Record<
    Side,
    number[]
  >
  for (let round = 0; round <= rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const value = await turns[side](round)
      if (round > 0) values[side].push(value)
    }
  }
  return values
}

/** The median of the quotients of each round: steadier than the quotient of the medians. */
export function medianRatio(above: readonly number[], below: readonly number[]): number {
  return median(above.map((value, round) => value / (below[round] ?? Number.NaN)))
}
