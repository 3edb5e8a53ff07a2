import { limits } from '../../limits.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { jsonBytes, mostJsonBytes } from '../../values/json/json-bytes.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { ValuesWithin } from './answer-size.ts'
import { outputsOf, type RecordOutput, type RecordShape } from './record-output.ts'
import { SearchHits } from './search-hits.ts'

/** Where the showing of records ends. */
interface ShowingEnd {
  /** Records. */
  readonly most: number
  /** Bytes of all of them as JSON, as they are shown, each value counted as `limits.answerBytesPerValue` at least. */
  readonly bytes: number
}

/** Records that are shown. */
export interface ShownRecords<Shown = RecordOutput> {
  /** One at least, where there is one. */
  readonly records: Shown[]
  /** Whether others follow. */
  readonly hasMore: boolean
  /** Whether it has fewer than were asked for because they are longer than the bytes allow, or one of them alone is. */
  readonly isTooLong: boolean
}

/** Records in parts, as they are read; returns whether others follow that are not part of it. */
export type RecordSource = AsyncGenerator<readonly StoredRecord[], boolean>

/**
 * Shows records one after another as they are read, as far as the end says: what a record is stored in tells little
 * of what it takes as it is shown. Where a search looks for hits in them, these take their bytes, too. Nothing is read or made beyond the record with which it is reached.
 */
export function showWithin(
  tx: ReadTx,
  schema: TableSchema,
  source: RecordSource,
  shape: RecordShape,
  end: ShowingEnd,
  hits?: SearchHits,
): Promise<ShownRecords> {
  return showAsWithin(tx, schema, source, { ...shape, toShown: (output) => output }, end, hits)
}

/** Shows records as `showWithin` does, less of each than a record has: what is left out counts for nothing. */
export async function showAsWithin<Shown extends Pick<RecordOutput, 'id' | 'fields'>>(
  tx: ReadTx,
  schema: TableSchema,
  source: RecordSource,
  shape: RecordShape & { readonly toShown: (output: RecordOutput) => Shown },
  { most, bytes }: ShowingEnd,
  hits?: SearchHits,
): Promise<ShownRecords<Shown>> {
  const within = new ValuesWithin<Shown>(tx, bytes, hits ? withHits(hits) : inMemory)
  const { values } = within
  /** The first one, where it is longer than all may be. */
  let tooLong: Shown | undefined
  for (;;) {
    const { value: read, done } = await source.next()
    if (done) return end(read)
    const { show } = await outputsOf(tx, schema, read, shape)
    await hits?.lookAt(read)
    for (const record of read) {
      if (tooLong || values.length === most) return end(true)
      const shown = show(tx, record)
      const output = shape.toShown(shown instanceof Promise ? await shown : shown)
      const isTaken = within.add(output)
      if (isTaken === true || (await isTaken)) continue
      if (values.length > 0) return { records: values, hasMore: true, isTooLong: true }
      tooLong = output
    }
  }

  function end(hasMore: boolean): ShownRecords<Shown> {
    return { records: tooLong ? [tooLong] : values, hasMore, isTooLong: tooLong !== undefined }
  }
}

/** What an output takes: of many short values the memory is more than their JSON. */
const inMemory = {
  most: (output: Pick<RecordOutput, 'fields'>) =>
    Math.max(mostJsonBytes(output), leastBytesOf(output)),
  exact: (output: Pick<RecordOutput, 'fields'>) =>
    Math.max(jsonBytes(output), leastBytesOf(output)),
}

/** How long a record is in memory and in an answer, with what is told of the hits of a search in it. */
function withHits(hits: SearchHits) {
  const bytesOf = (output: Pick<RecordOutput, 'id'>) => hits.countOf(output) * SearchHits.bytesOfHit
  return {
    most: (output: Pick<RecordOutput, 'id' | 'fields'>) => inMemory.most(output) + bytesOf(output),
    exact: (output: Pick<RecordOutput, 'id' | 'fields'>) =>
      inMemory.exact(output) + bytesOf(output),
  }
}

function leastBytesOf({ fields }: Pick<RecordOutput, 'fields'>): number {
  let count = 0
  // To count a list of the names would make one for each record.
  for (const _ in fields) count++
  return count * limits.answerBytesPerValue
}
