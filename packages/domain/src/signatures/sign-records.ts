import { toTimestamp } from '../clock.ts'
import { countNumbers, mergeRanges, type Numbers, upTo } from '../indexes/number-ranges.ts'
import type { SignatureHead } from '../indexes/search-signature-repository.ts'
import { signingKind } from '../indexes/settle-index.ts'
import type { TableIndex } from '../indexes/table-index.ts'
import type { JobContext, JobKind } from '../jobs/job-kind.ts'
import { limits } from '../limits.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { WriteTx } from '../store.ts'
import type { Table } from '../tables/table.ts'
import { signSegment, usualTrigrams } from './sign-segment.ts'

type Outcome = Awaited<ReturnType<JobKind['run']>>

/**
 * Makes the index of what is shown of the records of a table, segment by segment, keeps it, and removes it. Whatever
 * changes a record notes that in its transaction, from the moment in which the index is begun: such records are looked
 * at by every search, until their segment is signed anew. So are those whose segment isn't signed yet.
 */
export const signRecords: JobKind = {
  name: signingKind,
  isRecurring: false,
  isLong: true,
  periodMs: 60_000,
  run: async (context) => {
    const { tx, jobId } = context
    const index = await tx.tableIndexes.find(jobId.slice(signingKind.length + 1))
    if (!index) return 'over'
    const [table] = await tx.tables.findAll([index.tableId], 'none')
    if (index.state === 'unwanted' || !table) return remove(context, index)
    if (index.state === 'wanted') return begin(context, index)
    const schema = await tx.fields.schemaOf(table)
    const head = await tx.searchSignatures.headOf(table.id)
    if (!head || tx.tableIndexes.definitionOf(schema, index.key) !== index.definition) {
      if (!(await isAsItWas(tx, index))) return 'more'
      await tx.tableIndexes.save({ ...index, state: 'wanted', definition: '' })
      await tx.tables.renewSchema(table.id, context.ids.revision())
      return 'more'
    }
    return goOn(context, { index, table, schema, head })
  },
}

/** Whether the index is in the state in which it was found; it stays so until the end, as nobody switches it meanwhile. */
async function isAsItWas(tx: WriteTx, { name, tableId, state }: TableIndex): Promise<boolean> {
  await tx.tables.findAll([tableId], 'update')
  return (await tx.tableIndexes.find(name))?.state === state
}

async function remove({ tx }: JobContext, index: TableIndex): Promise<Outcome> {
  if (await tx.searchSignatures.removeSome(index.tableId)) return 'more'
  await tx.tableIndexes.forget(index.name)
  return 'over'
}

/** From the end of it on, whatever changes a record notes that. */
async function begin(context: JobContext, index: TableIndex): Promise<Outcome> {
  const { tx, ids } = context
  if (await tx.searchSignatures.removeSome(index.tableId)) return 'more'
  // Nobody is writing who read the schema before, and whoever writes next reads the one that follows.
  if (!(await isAsItWas(tx, index))) return 'more'
  const [table] = await tx.tables.findAll([index.tableId], 'none')
  const schema = table && (await tx.fields.schemaOf(table))
  const trigrams = schema ? await usualTrigrams(tx, schema) : Number.POSITIVE_INFINITY
  if (!table || !schema || trigrams > limits.trigramsOfRecord) {
    await tx.tableIndexes.save({ ...index, state: 'unwanted' })
    return 'more'
  }
  const slots = slotsFor(trigrams)
  const whole = await wholeSegments(context, schema)
  await tx.searchSignatures.saveHead({ tableId: table.id, slots, signed: 0, whole })
  const definition = tx.tableIndexes.definitionOf(schema, index.key) ?? ''
  await tx.tableIndexes.save({ ...index, state: 'begun', definition })
  await tx.tables.renewSchema(table.id, ids.revision())
  return 'more'
}

/** So many slots that a record has a bit in a sixth of them at most, and a power of two. */
function slotsFor(trigrams: number): number {
  const least = Math.max(limits.slotsLeast, trigrams * 6)
  return 2 ** Math.ceil(Math.log2(least))
}

async function wholeSegments({ tx }: JobContext, schema: TableSchema): Promise<number> {
  return Math.floor((await tx.recordScanner.lastNumber(schema)) / limits.recordsPerSegment)
}

interface Signing {
  readonly index: TableIndex
  readonly table: Table
  readonly schema: TableSchema
  readonly head: SignatureHead
}

async function goOn(context: JobContext, signing: Signing): Promise<Outcome> {
  const { tx, nowMs, ids } = context
  const { index, table, schema, head } = signing
  if (head.signed < head.whole) {
    const next = await nextSegment(context, signing)
    if (next < head.whole) await sign(context, signing, next)
    await tx.searchSignatures.saveHead({ ...head, signed: Math.min(next + 1, head.whole) })
    return 'more'
  }
  if (index.state === 'begun') {
    if (!(await isAsItWas(tx, index))) return 'more'
    await tx.tableIndexes.save({ ...index, state: 'ready', checkedTime: toTimestamp(nowMs) })
    await tx.tables.renewSchema(table.id, ids.revision())
  }
  if ((await wholeSegments(context, schema)) > head.whole) {
    // Once nobody is writing, no record of these segments is on its way any more.
    await tx.tables.findAll([table.id], 'update')
    const whole = await wholeSegments(context, schema)
    await tx.searchSignatures.saveHead({ ...head, whole })
    return 'more'
  }
  return takeInChanges(context, signing)
}

/** The first segment with a record that isn't signed; empty ones have no bits, however many there are. */
async function nextSegment({ tx }: JobContext, { schema, head }: Signing): Promise<number> {
  const after = head.signed * limits.recordsPerSegment
  const step = { after, take: 1, withDeleted: true }
  const [record] = (await tx.recordScanner.next(schema, step, [])).records
  return record ? Math.floor((record.autoNumber - 1) / limits.recordsPerSegment) : head.whole
}

async function sign({ tx }: JobContext, { table, schema, head }: Signing, number: number) {
  const segment = await signSegment(tx, schema, number, head.slots)
  await tx.searchSignatures.saveSegment(table.id, number, segment)
}

/**
 * Signs the segment anew in which most records were changed, where these are many; else they are looked at by searches. Where
 * nothing is left to do it is over: each look is a write, and the check of the index has the next one.
 */
async function takeInChanges(context: JobContext, signing: Signing): Promise<Outcome> {
  const { tx } = context
  const { table, head } = signing
  const most = limits.changesPerSearch
  const noted = await tx.searchSignatures.changesOf(table.id, most)
  const until = head.signed * limits.recordsPerSegment
  const changed = mergeRanges(noted.flatMap(({ numbers }) => upTo(until, numbers)))
  const bySegment = inSegments(changed)
  const [[number, ranges] = [0, []]] = [...bySegment].toSorted(
    ([, a], [, b]) => countNumbers(b) - countNumbers(a),
  )
  const isMuch = countNumbers(changed) > limits.recordsChangedLeft
  const left = isMuch ? 1 : limits.recordsChangedPerSegment
  const isWorth = countNumbers(ranges) >= left
  if (!isWorth && noted.length <= limits.changesLeft) return 'over'
  if (isWorth) {
    await sign(context, signing, number)
    bySegment.delete(number)
  }
  const ids = noted.map(({ id }) => id)
  await tx.searchSignatures.replaceChanges(
    table.id,
    ids,
    mergeRanges([...bySegment.values()].flat()),
  )
  return isWorth || noted.length === most ? 'more' : 'later'
}

/** The ranges by the segments that they lie in. */
function inSegments(ranges: readonly Numbers[]): Map<number, Numbers[]> {
  const bySegment = new Map<number, Numbers[]>()
  for (const [first, last] of ranges) {
    for (let from = first; from <= last; ) {
      const number = Math.floor((from - 1) / limits.recordsPerSegment)
      const until = Math.min(last, (number + 1) * limits.recordsPerSegment)
      const known = bySegment.get(number)
      if (known) known.push([from, until])
      else bySegment.set(number, [[from, until]])
      from = until + 1
    }
  }
  return bySegment
}
