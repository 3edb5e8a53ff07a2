import { assert } from '@gateleg/domain/errors'
import {
  countNumbers,
  mergeRanges,
  type Numbers,
  upTo,
} from '@gateleg/domain/indexes/number-ranges'
import type {
  SearchSignatureRepository,
  SignatureHead,
} from '@gateleg/domain/indexes/search-signature-repository'
import { placesInAll, slotsOf } from '@gateleg/domain/indexes/trigrams'
import { limits } from '@gateleg/domain/limits'
import { fromBase64 } from '@gateleg/domain/values/bytes/base64'
import { prepared } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'
import { SqlSearchSignatureRepository } from './sql-search-signature-repository.ts'

/** The records of a table that may show a text. */
interface Candidates {
  /** Their numbers, among those up to `until`. */
  readonly numbers: readonly number[]
  /** The last record of which the index has the bits: all after it are candidates. */
  readonly until: number
}

const findBits = prepared<
  { tableId: string; slots: readonly number[]; before: number },
  { segment: number; bits: string }
>((db, value, dialect) =>
  db
    .selectFrom('search_segments')
    .select(['segment', 'bits'])
    .where('table_id', '=', value('tableId'))
    .where(dialect.lists.isIn('slot', value('slots')))
    .where('segment', '<', value('before')),
)

/**
 * Finds the records of the table that may show the folded text; undefined where there are too many to check each of
 * them.
 */
export async function findCandidates(
  session: SqlSession,
  tableId: string,
  text: string,
): Promise<Candidates | undefined> {
  const signatures = new SqlSearchSignatureRepository(session)
  const head = await signatures.headOf(tableId)
  if (!head) return undefined
  const until = head.signed * limits.recordsPerSegment
  // Before the bits: who makes those anew takes the notes away with that.
  const changed = await findChanged(signatures, tableId, until)
  if (!changed) return undefined
  const numbers = new Set<number>()
  for (const [first, last] of changed) for (let n = first; n <= last; n++) numbers.add(n)
  const bySegment = await bitsOf(session, head, text)
  for (const [segment, slots] of bySegment) {
    for (const place of placesInAll(slots))
      numbers.add(segment * limits.recordsPerSegment + place + 1)
    if (numbers.size > limits.recordsPerSearch) return undefined
    await session.giveWay()
  }
  return { numbers: [...numbers].toSorted((a, b) => a - b), until }
}

/** Which records were changed since their bits were made; undefined where these are too many. */
async function findChanged(
  signatures: SearchSignatureRepository,
  tableId: string,
  until: number,
): Promise<readonly Numbers[] | undefined> {
  const most = limits.changesPerSearch
  const notes = await signatures.changesOf(tableId, most + 1)
  if (notes.length > most) return undefined
  const ranges = notes.flatMap(({ numbers }) => numbers)
  const changed = mergeRanges(upTo(until, ranges))
  return countNumbers(changed) > limits.recordsPerSearch ? undefined : changed
}

/** The bits of each segment in the slots of the text. */
async function bitsOf(
  session: SqlSession,
  { tableId, slots, signed }: SignatureHead,
  text: string,
): Promise<ReadonlyMap<number, Uint8Array[]>> {
  const values = { tableId, slots: slotsOf(text, slots), before: signed }
  const bySegment = new Map<number, Uint8Array[]>()
  for (const { segment, bits } of await session.all(findBits, values)) {
    const known = bySegment.get(segment)
    const bytes = fromBase64(bits)
    assert(bytes, 'the bits of a segment are kept in Base64')
    if (known) known.push(bytes)
    else bySegment.set(segment, [bytes])
  }
  return bySegment
}
