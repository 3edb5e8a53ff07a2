import { assert, DomainError } from '../../../../errors.ts'
import { limits } from '../../../../limits.ts'
import { requireRoomForLinks } from '../../../../links/link-room.ts'
import { pairsInParts } from '../../../../links/pairs-in-parts.ts'
import { findRecords, scanRecords } from '../../../../records/reading/scan-records.ts'
import type { SchemaGraph } from '../../../../schemas/schema-graph.ts'
import type { TableSchema } from '../../../../schemas/table-schema.ts'
import type { WriteTx } from '../../../../store.ts'
import type { UndoLog } from '../../../../undo/undo-log.ts'
import type { FinalStep, KeptLinks, LinksAside } from '../../../../undo/undo-step.ts'
import type { Field } from '../../../field.ts'
import type { LinkEnd } from '../../../link-end.ts'
import { linkCapabilityOf } from '../../../link-of.ts'
import { keepValues } from '../../columns/keep-values.ts'
import type { FieldContext } from '../../field-context.ts'

/** A link in its table. */
interface LinkPlace {
  readonly schema: TableSchema
  readonly field: Field
}

/** The links of a field, in a step that has room for them or beside it; a step that says why where they are too many. */
export async function keptLinks(
  context: FieldContext,
  room: UndoLog,
): Promise<readonly KeptLinks[] | LinksAside | FinalStep> {
  const { tx, schema, field, ids } = context
  const all: KeptLinks[] = []
  let aside: LinkParts | undefined
  let length = 0
  let count = 0
  for await (const one of linksOfAll(tx, schema, field)) {
    count += one[1].length
    if (count > limits.linksKept) {
      if (aside) await tx.keptValues.remove([aside.keptId])
      const reason = `The field had more than ${limits.linksKept} links, which is too much to be kept`
      return { kind: 'final', reason }
    }
    length += JSON.stringify(one).length + 1
    all.push(one)
    if (!aside && !room.hasRoom(length)) {
      const id = ids.next('operation')
      await keepValues(context, { id, tableId: field.tableId, fieldId: field.id })
      aside = { keptId: id, parts: 0 }
    }
    if (!aside || length < limits.keptPartLength) continue
    await tx.keptValues.putPart(aside.keptId, aside.parts++, JSON.stringify(all.splice(0)))
    length = 0
  }
  if (!aside) return all
  await tx.keptValues.putPart(aside.keptId, aside.parts, JSON.stringify(all))
  return { keptId: aside.keptId }
}

/** Under which id links are kept, in how many parts by now. */
interface LinkParts extends LinksAside {
  parts: number
}

/** The links that are kept beside a step. Throws conflict where they are not kept any more. */
export async function* linksAside(
  { keptValues }: Pick<WriteTx, 'keptValues'>,
  { keptId }: LinksAside,
): AsyncGenerator<KeptLinks> {
  for (let number = 0; ; number++) {
    const content = await keptValues.partOf(keptId, number)
    if (content === undefined && number > 0) return
    if (content === undefined) {
      throw new DomainError('conflict', 'The links that the field had are not kept any more')
    }
    yield* JSON.parse(content) as readonly KeptLinks[]
  }
}

/** The links of all records of a table in a field, those of deleted records and to such too, in the order of the records. */
async function* linksOfAll(
  tx: WriteTx,
  schema: TableSchema,
  field: Field,
): AsyncGenerator<KeptLinks> {
  const end = linkCapabilityOf(field)?.endOf(field.options)
  if (!end || (field.hasError && !(await hasPairs(tx, schema, end)))) return
  for await (const { records } of scanRecords(tx, schema, { columns: [], withDeleted: true })) {
    const ids = records.map(({ id }) => id)
    for await (const pairs of pairsInParts(tx, end, ids, 'all')) {
      for (const [recordId, ofRecord] of Map.groupBy(pairs, (pair) => pair.recordId)) {
        yield [recordId, ofRecord.map(({ foreignId, place }) => [foreignId, place] as const)]
      }
    }
    await tx.giveWay()
  }
}

/** Whether there is a place for the pairs of a link: there is none for those of a copy whose original had an error. */
async function hasPairs(
  tx: WriteTx,
  { tableId }: TableSchema,
  { ownerFieldId, isOwner }: LinkEnd,
): Promise<boolean> {
  const ends = await tx.fields.linkEndsOf(tableId)
  return ends.some(
    ({ end, hasPairs }) => hasPairs && end.ownerFieldId === ownerFieldId && end.isOwner === isOwner,
  )
}

/**
 * Gives records the links back that they had, at their places at both ends. A link of which a record lies in the trash by
 * now comes back with that; one of which a record is gone for good does not. The place of the pairs is there, and empty.
 */
export async function putLinksBack(
  tx: WriteTx,
  graph: SchemaGraph,
  place: LinkPlace,
  kept: Iterable<KeptLinks> | AsyncIterable<KeptLinks>,
): Promise<void> {
  let some: KeptLinks[] = []
  let count = 0
  for await (const one of kept) {
    some.push(one)
    count += one[1].length
    if (count < limits.linksStoredAtOnce) continue
    await putSome(tx, graph, place, some)
    await tx.giveWay()
    some = []
    count = 0
  }
  await putSome(tx, graph, place, some)
}

async function putSome(
  tx: WriteTx,
  graph: SchemaGraph,
  { schema, field }: LinkPlace,
  kept: readonly KeptLinks[],
): Promise<void> {
  const capability = linkCapabilityOf(field)
  assert(capability, 'links are those of a link')
  const end = capability.endOf(field.options)
  const foreign = await schemaThere(tx, graph, capability.targetOf(field.options).foreignTableId)
  if (kept.length === 0 || !foreign) return
  const own = await fatesOf(
    tx,
    schema,
    kept.map(([recordId]) => recordId),
  )
  const foreignIds = new Set(kept.flatMap(([, links]) => links.map(([foreignId]) => foreignId)))
  const there = await fatesOf(tx, foreign, [...foreignIds])
  const links = new Map<string, readonly string[]>()
  const living = new Map<string, readonly string[]>()
  const lost = new Map<string, ReadonlyMap<string, string>>()
  const places = []
  for (const [recordId, ofRecord] of kept) {
    const fate = own.get(recordId)
    if (!fate) continue
    const left = ofRecord.filter(([foreignId]) => there.has(foreignId))
    const ids = left.map(([foreignId]) => foreignId)
    const away = new Map<string, string>()
    for (const id of ids) {
      const operationId = fate.deletedBy ?? there.get(id)?.deletedBy
      if (operationId !== undefined) away.set(id, operationId)
    }
    links.set(recordId, ids)
    lost.set(recordId, away)
    living.set(
      recordId,
      ids.filter((id) => !away.has(id)),
    )
    places.push(...left.map(([foreignId, at]) => ({ recordId, foreignId, place: at })))
  }
  await tx.links.replace(end, links, { places, lost })
  await requireRoomForLinks(tx, schema, field.id, living)
}

/** What became of a record that is there: which operation deleted it, if one did. */
interface Fate {
  readonly deletedBy: string | undefined
}

/** What became of records, living ones and those in the trash; none of one that is gone for good. */
async function fatesOf(
  tx: WriteTx,
  schema: TableSchema,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Fate>> {
  const deletions = await tx.records.deletionsOf(schema, ids)
  const fates = new Map<string, Fate>()
  for (const [id, deletedBy] of deletions) fates.set(id, { deletedBy })
  const others = ids.filter((id) => !deletions.has(id))
  for await (const { records } of findRecords(tx, schema, others, 'none', [])) {
    for (const { id } of records) fates.set(id, { deletedBy: undefined })
  }
  return fates
}

/** The fields of a linked table, which may lie in the trash; undefined where it is gone for good. */
async function schemaThere(
  tx: WriteTx,
  graph: SchemaGraph,
  tableId: string,
): Promise<TableSchema | undefined> {
  const living = await graph.find(tableId)
  if (living) return living.schema
  const deleted = await tx.tables.findOrTrash(tableId, 'share')
  return deleted && tx.fields.schemaOf(deleted)
}
