import type { Measurement } from './benchmark.ts'
import { compareTimes } from './compare-times.ts'
import { inTurns } from './in-turns.ts'
import type { LoadClient, LoadRequest } from './load-client.ts'
import { median } from './statistics.ts'

/** One question, as it is asked of us, and the SQL by hand that answers it. */
export interface AskedQuestion {
  readonly name: string
  readonly request: LoadRequest
  /** On the very table of ours, where only living records count. */
  readonly sqlOnOurs: string
  /** On a table that has the columns of the fields alone. */
  readonly sqlOnLean: string
  /** How many times as long as SQL on the same table. */
  readonly ratioMax: number
  /** How often it is asked in a turn, of which the median counts: more than once where an answer takes a millisecond. */
  readonly timesPerTurn?: number
}

export interface Askers {
  readonly toOurs: LoadClient
  /** A handwritten server on the storage of ours. */
  readonly toBeside: LoadClient
  readonly toLean: LoadClient
}

/**
 * Asks by turns, and compares with SQL by hand twice: on the same table, which tells what we add to the statement, and on a
 * lean one, which tells what the columns of every record cost, such as who made it and when.
 */
export async function askByHand(
  { toOurs, toBeside, toLean }: Askers,
  { name, request, sqlOnOurs, sqlOnLean, ratioMax, timesPerTurn = 1 }: AskedQuestion,
  rounds: number,
): Promise<readonly Measurement[]> {
  const asking = (client: LoadClient, sent: LoadRequest) => async () => {
    const times: number[] = []
    while (times.length < timesPerTurn) times.push(await client.time(sent))
    return median(times)
  }
  const byHand = (client: LoadClient, sql: string) =>
    asking(client, { method: 'POST', path: '/query', body: JSON.stringify({ sql }) })
  const { ours, same, lean } = await inTurns(rounds, {
    ours: asking(toOurs, request),
    same: byHand(toBeside, sqlOnOurs),
    lean: byHand(toLean, sqlOnLean),
  })
  return [
    compareTimes(name, { ours, handwritten: same }, ratioMax),
    compareTimes(`${name}, against a lean table`, { ours, handwritten: lean }),
  ]
}
