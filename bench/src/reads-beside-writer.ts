import type { Measurement } from './benchmark.ts'
import { inTurns } from './in-turns.ts'
import { LoadClient, type LoadRequest } from './load-client.ts'
import { percentile } from './statistics.ts'
import { recordCount } from './stones.ts'

const readers = 16
/** How long a turn lasts. */
const turnMs = 2_000

/** A server that is read from and written to. */
export interface Side {
  readonly url: string
  readonly token: string | undefined
  /** The path at which records are created. */
  readonly writesTo: string
}

type Both<T> = Readonly<Record<'ours' | 'handwritten', T>>

/** The waits of one side, in milliseconds, but for those of the first turn. */
interface Waits {
  readonly read: number[]
  readonly write: number[]
}

/** How long readers wait for one and the same question while somebody creates one record after another in the table. */
export async function compareBesideWriter(
  name: string,
  sides: Both<Side>,
  reads: Both<LoadRequest>,
  rounds: number,
): Promise<readonly Measurement[]> {
  const ours: Waits = { read: [], write: [] }
  const handwritten: Waits = { read: [], write: [] }
  const turn = (side: keyof typeof sides, waits: Waits) => (round: number) => {
    const into: Waits = round === 0 ? { read: [], write: [] } : waits
    return readWhileWriting(sides[side], reads[side], into)
  }
  await inTurns(rounds, { ours: turn('ours', ours), handwritten: turn('handwritten', handwritten) })
  const title = `${name}, ${readers} readers beside a writer`
  return [
    compare(`${title}, p50`, 50, ours.read, handwritten.read),
    compare(`${title}, p99`, 99, ours.read, handwritten.read),
    compare(`${title}: its writes, p99`, 99, ours.write, handwritten.write),
  ]
}

/**
 * A record that none of the questions finds, and behind all others in their order: before them, each side would have as many
 * more to pass over as it has written.
 */
function toWrite(path: string): LoadRequest {
  const fields = { Name: 'Beside', Number: 0, Place: recordCount }
  const body = JSON.stringify({ records: [{ fields }] })
  return { method: 'POST', path, body }
}

/**
 * Answers the reads of the turn. Its connections are opened anew, before it is measured: those of the turn before may just be
 * closed by a server that had nothing to do meanwhile.
 */
async function readWhileWriting(
  { url, token, writesTo }: Side,
  read: LoadRequest,
  waits: Waits,
): Promise<number> {
  const client = new LoadClient({ url, token, connections: readers + 1 })
  await Promise.all(Array.from({ length: readers }, () => client.send(read)))
  const endsMs = performance.now() + turnMs
  const loop = async (request: LoadRequest, times: number[]) => {
    do times.push(await client.time(request))
    while (performance.now() < endsMs)
  }
  const all = Array.from({ length: readers }, () => loop(read, waits.read))
  await Promise.all([loop(toWrite(writesTo), waits.write), ...all])
  await client.close()
  return waits.read.length
}

function compare(
  name: string,
  percent: number,
  ours: readonly number[],
  other: readonly number[],
): Measurement {
  const [mine, theirs] = [percentile(ours, percent), percentile(other, percent)]
  const toText = (ms: number) => `${ms.toFixed(1)} ms`
  return { name, ours: toText(mine), other: toText(theirs), ratio: mine / theirs }
}
