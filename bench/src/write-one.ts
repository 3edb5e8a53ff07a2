import type { Bench, Measurement } from './benchmark.ts'
import { compareRates } from './compare-rates.ts'
import type { Contenders, Handwritten, Ours } from './contenders.ts'
import { inTurns } from './in-turns.ts'
import { LoadClient, type LoadRequest } from './load-client.ts'

const connections = 16
const requestsPerTurn = 6_000

/** One kind of write of one record. */
export interface WriteOfOne {
  /** What is done with one record. */
  readonly verb: string
  /** Prepares a table of ours; answers what to send to it, again and again. */
  readonly toOurs: (ours: Ours) => Promise<(index: number) => LoadRequest>
  /** Prepares a table of a handwritten server; answers what to send to that, again and again. */
  readonly toHandwritten: (handwritten: Handwritten) => Promise<(index: number) => LoadRequest>
  /** How many times as many as a handwritten server does; undefined for what is told for comparison alone. */
  readonly ratioMin: {
    readonly toOneByOne: number | undefined
    readonly toGrouping: number | undefined
  }
}

/** One record per request, answered when it is durable; ours also authenticates and validates. */
export async function compareWritesOfOne(
  { contenders, rounds, say }: Bench,
  { verb, toOurs, toHandwritten, ratioMin }: WriteOfOne,
): Promise<readonly Measurement[]> {
  const ours = await contenders.startOurs()
  const clients: LoadClient[] = []
  const toTurn = (url: string, toRequest: (index: number) => LoadRequest, token?: string) => {
    const client = new LoadClient({ url, connections, token })
    clients.push(client)
    return () => client.drive(connections, requestsPerTurn, toRequest)
  }
  const byHand = async (options?: Parameters<Contenders['startHandwritten']>[0]) => {
    const handwritten = await contenders.startHandwritten(options)
    return toTurn(handwritten.url, await toHandwritten(handwritten))
  }
  const turn = toTurn(ours.url, await toOurs(ours), ours.token)
  const rates = await inTurns(rounds, {
    ours: (round) => {
      say(`round ${round} of ${rounds}`)
      return turn()
    },
    oneByOne: await byHand(),
    grouping: await byHand({ isGrouping: true }),
  })
  await Promise.all(clients.map((client) => client.close()))
  const compare = (how: string, other: readonly number[], least: number | undefined) => {
    const name = `${verb} one record, ${connections} at a time, against ${how}`
    return compareRates(name, { ours: rates.ours, other }, least)
  }
  return [
    compare('a commit each', rates.oneByOne, ratioMin.toOneByOne),
    compare('group commit', rates.grouping, ratioMin.toGrouping),
  ]
}
