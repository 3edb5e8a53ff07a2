import type { Field } from '../../fields/field.ts'
import { hasMany, isExclusive, type LinkEnd, otherEnd } from '../../fields/link-end.ts'
import { linkCapabilityOf } from '../../fields/link-of.ts'
import { limits } from '../../limits.ts'
import { findOverlinked, tooManyLinks } from '../../links/link-room.ts'
import { findRecords } from '../../records/reading/scan-records.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { WriteTx } from '../../store.ts'
import { loadSchema, loadTable, type Receiving } from './receiving.ts'

/** Records of a link that are remembered with the place of their last link, so that it needn't be looked up. */
const placesRemembered = 100_000

/** What ids are made of: anything else is no record, and may be no text that a storage takes. */
const idForm = new RegExp(`^[0-9A-Za-z]{1,${limits.idLength}}$`)

/** A link whose pairs are coming in. */
interface ReceivingLinks {
  readonly receiving: Receiving
  readonly field: Field
  readonly foreignTableId: string
  readonly end: LinkEnd
  /** See `LinkRepository.replace`; absent once there are too many. */
  last: Map<string, number> | undefined
}

/**
 * Links records as the lists that follow say. Those of the end that comes second are no new links: they say in which order
 * the records there have theirs.
 */
export async function receiveLinks(receiving: Receiving, archivedId: string): Promise<void> {
  const { reader, made, begun } = receiving
  const field = made.fields.get(archivedId)
  const capability = field && linkCapabilityOf(field)
  if (!field || !capability) throw reader.wrong(`"${archivedId}" is no link of the archive`)
  if (begun.has(archivedId)) throw reader.wrong(`the links of "${field.name}" are there twice`)
  begun.add(archivedId)
  const { foreignTableId } = capability.targetOf(field.options)
  const end = capability.endOf(field.options)
  const links: ReceivingLinks = { receiving, field, foreignTableId, end, last: new Map() }
  let lists = new Map<string, readonly string[]>()
  let count = 0
  const flush = async () => {
    const flushed = lists
    lists = new Map()
    count = 0
    if (flushed.size > 0) await storeLists(links, flushed)
  }
  for (;;) {
    const item = await reader.next()
    if (item?.kind !== 'list') {
      reader.putBack(item)
      break
    }
    const [id, ...foreignIds] = requireIds(receiving, item.said)
    if (lists.has(id)) throw reader.wrong(`the links of "${id}" are there twice`)
    // Those that were lost with deleted records stand among the others, which are counted when these are known.
    if (receiving.trash.size === 0) requireLinkRoom(links, id, foreignIds.length)
    lists.set(id, foreignIds)
    count += foreignIds.length + 1
    if (count >= limits.linksStoredAtOnce) await flush()
  }
  await flush()
}

function requireLinkRoom({ receiving, end }: ReceivingLinks, id: string, count: number): void {
  const most = hasMany(end.relationship) ? limits.linksPerCell : 1
  if (count > most) throw receiving.reader.wrong(`"${id}" has more links than ${most}`)
}

function requireIds(
  { reader }: Receiving,
  said: readonly unknown[],
): readonly [string, ...string[]] {
  const isRight =
    said.length > 1 &&
    new Set(said.slice(1)).size === said.length - 1 &&
    said.every((id) => typeof id === 'string' && idForm.test(id))
  if (isRight) return said as readonly string[] as readonly [string, ...string[]]
  throw reader.wrong('links must be a list of ids: a record, then those it is linked to, each once')
}

async function storeLists(
  links: ReceivingLinks,
  lists: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const { receiving, end } = links
  await receiving.context.store.write(async (tx) => {
    if (end.isOwner) await storePairs(tx, links, lists)
    else await putInOrder(tx, links, lists)
  })
  if (links.last && links.last.size > placesRemembered) links.last = undefined
}

/** Links the records, as far as they came: others were made or deleted while the archive was written. */
async function storePairs(
  tx: WriteTx,
  links: ReceivingLinks,
  lists: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const { receiving, end, field, foreignTableId } = links
  const own = await loadSchema(receiving, tx, field.tableId)
  const foreign = await loadSchema(receiving, tx, foreignTableId)
  const ownIds = await existing(tx, own, [...lists.keys()])
  const foreignIds = await existing(tx, foreign, new Set([...lists.values()].flat()))
  const taken = new Set<string>()
  if (isExclusive(end.relationship)) {
    const counts = await tx.links.count(otherEnd(end), [...foreignIds])
    for (const id of counts.keys()) taken.add(id)
  }
  const lost = await lostPairs(tx, links, { own, foreign, ownIds, foreignIds }, lists)
  const kept = new Map<string, readonly string[]>()
  for (const [id, list] of lists) {
    const away = lost?.get(id)
    const isThere = (one: string) => ownIds.has(id) && foreignIds.has(one) && !taken.has(one)
    const there = list.filter((one) => away?.has(one) || isThere(one))
    requireLinkRoom(links, id, there.length - (away?.size ?? 0))
    if (isExclusive(end.relationship)) {
      for (const one of there) if (!away?.has(one)) taken.add(one)
    }
    if (there.length > 0) kept.set(id, there)
  }
  // A copy: the transaction may be begun anew.
  const last = links.last && new Map(links.last)
  const gained = await tx.links.replace(end, kept, { last, lost })
  await requireRoom(tx, own, [...kept.keys()], receiving)
  const many = [...gained].filter(([, place]) => place > limits.linksPerCell).map(([id]) => id)
  const counts = many.length > 0 ? await tx.links.count(otherEnd(end), many) : new Map()
  if ([...counts.values()].some((count) => count > limits.linksPerCell)) {
    throw receiving.reader.wrong(`a cell has ${limits.linksPerCell} links at most`)
  }
  await requireRoom(tx, foreign, [...gained.keys()], receiving)
  links.last = last
}

/** The tables at both ends of a link, and those of the records that are named which live there. */
interface LinkEnds {
  readonly own: TableSchema
  readonly foreign: TableSchema
  readonly ownIds: ReadonlySet<string>
  readonly foreignIds: ReadonlySet<string>
}

/**
 * What took pairs away of which a record lies in the trash, or both: either may have, the pair is back with the second of them.
 * Undefined where the archive has no trash.
 */
async function lostPairs(
  tx: WriteTx,
  { receiving }: ReceivingLinks,
  { own, foreign, ownIds, foreignIds }: LinkEnds,
  lists: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>> | undefined> {
  if (receiving.trash.size === 0) return undefined
  const named = [...new Set([...lists.values()].flat())]
  const ownGone = await tx.records.deletionsOf(own, [...lists.keys()])
  const foreignGone = await tx.records.deletionsOf(foreign, named)
  const lost = new Map<string, ReadonlyMap<string, string>>()
  for (const [id, list] of lists) {
    const ownDeletion = ownGone.get(id)
    if (ownDeletion === undefined && !ownIds.has(id)) continue
    const away = list.flatMap((one) => {
      const deletion = foreignGone.get(one)
      if (deletion === undefined && !foreignIds.has(one)) return []
      const by = ownDeletion ?? deletion
      return by === undefined ? [] : [[one, by] as const]
    })
    if (away.length > 0) lost.set(id, new Map(away))
  }
  return lost
}

async function requireRoom(
  tx: WriteTx,
  schema: TableSchema,
  recordIds: readonly string[],
  { reader }: Receiving,
): Promise<void> {
  // Those of fields in the trash were counted when these lived.
  const living = await tx.fields.schemaOf(await loadTable(tx, schema.tableId))
  if ((await findOverlinked(tx, living, recordIds)) !== undefined)
    throw reader.wrong(tooManyLinks())
}

/** Those of the ids that records of the table have. */
async function existing(
  tx: WriteTx,
  schema: TableSchema,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for await (const { records } of findRecords(tx, schema, ids, 'none', [])) {
    for (const { id } of records) found.add(id)
  }
  return found
}

/** Puts the links that records have already into the order of the lists; those that aren't there come last. */
async function putInOrder(
  tx: WriteTx,
  { receiving, end }: ReceivingLinks,
  lists: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const isWhole = receiving.trash.size > 0
  const pairs = await tx.links.of(end, [...lists.keys()], isWhole ? 'all' : 'living')
  const now = Map.groupBy(pairs, ({ recordId }) => recordId)
  const ordered = new Map(
    [...now].map(([id, ofRecord]) => {
      const places = new Map((lists.get(id) ?? []).map((one, index) => [one, index]))
      const placeOf = (one: string) => places.get(one) ?? places.size
      const foreignIds = ofRecord.map(({ foreignId }) => foreignId)
      return [id, foreignIds.toSorted((a, b) => placeOf(a) - placeOf(b))]
    }),
  )
  await tx.links.replace(end, ordered, isWhole ? { lost: new Map() } : {})
}
