import { dependencyOrder } from '../../calculations/dependency-order.ts'
import type { SchemaGraph } from '../../calculations/schema-graph.ts'
import { foreignTableIdOf } from '../../links/make-links.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { findCircle } from '../conversion/find-circle.ts'
import { replaceComputedColumn } from '../conversion/replace-column.ts'
import type { Field } from '../field.ts'
import { derive, isComputed } from '../field-values.ts'
import { hasOptionsRoom } from '../options-room.ts'
import { DerivationRefusal } from './derivation.ts'
import { anyTable, fieldSources } from './field-sources.ts'
import { type FieldPlace, readersOf } from './readers-of.ts'

/** Fields by table. */
export type FieldsByTable = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Works out anew what those fields are that read fields which changed, came or went, and what those are
 * that read them, and so on; each once, after those that it reads. One that can't be worked out any more
 * has an error until it can. Returns the fields whose cells are to be worked out anew.
 */
export async function rederive(
  context: TableContext,
  graph: SchemaGraph,
  changed: Iterable<FieldPlace>,
): Promise<FieldsByTable> {
  const dirty = new Map<string, Set<string>>()
  const origins = [...changed]
  const reached = await findReached(graph, origins)
  const order = inOrder(reached)
  const open = new Set(origins.flatMap(({ fieldId }) => reached.get(fieldId)?.readerIds ?? []))
  // Once round; only where fields would follow from themselves, and have errors, is there more to do.
  while (open.size > 0) {
    for (const fieldId of order) {
      const one = reached.get(fieldId)
      if (!one || !open.delete(fieldId)) continue
      const known = dirty.get(one.tableId) ?? new Set()
      dirty.set(one.tableId, known.add(fieldId))
      const isChanged = await rederiveField(context, graph, one)
      if (isChanged) for (const readerId of one.readerIds) open.add(readerId)
      await context.tx.giveWay()
    }
  }
  return dirty
}

/** A field that what changed can lead to, and those that read it. */
interface Reached extends FieldPlace {
  readonly readerIds: readonly string[]
}

/** The fields and all that read them, or read what reads them; by id. */
async function findReached(
  graph: SchemaGraph,
  origins: readonly FieldPlace[],
): Promise<ReadonlyMap<string, Reached>> {
  const reached = new Map<string, Reached>()
  const queue = [...origins]
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (reached.has(next.fieldId)) continue
    const readers = await readersOf(graph, next)
    reached.set(next.fieldId, { ...next, readerIds: readers.map(({ field }) => field.id) })
    for (const { place, field } of readers) {
      queue.push({ tableId: place.table.id, fieldId: field.id })
    }
  }
  return reached
}

/** Each after those that it reads. */
function inOrder(reached: ReadonlyMap<string, Reached>): readonly string[] {
  const readersFirst = dependencyOrder(
    reached.keys(),
    (fieldId) => reached.get(fieldId)?.readerIds ?? [],
  )
  return readersFirst.toReversed()
}

/** Works out anew all fields that read a table through a link or link to it: it has come or gone. */
export async function rederiveReadersOfTable(
  context: TableContext,
  graph: SchemaGraph,
  {
    tableId,
    inboundTableIds,
  }: { readonly tableId: string; readonly inboundTableIds: readonly string[] },
): Promise<FieldsByTable> {
  const changed: FieldPlace[] = []
  const dirty = new Map<string, Set<string>>()
  for (const place of await graph.load(inboundTableIds)) {
    for (const { field } of place.schema.fields) {
      if (foreignTableIdOf(field) !== tableId) continue
      const known = dirty.get(place.table.id) ?? new Set()
      dirty.set(place.table.id, known.add(field.id))
      const one = { tableId: place.table.id, fieldId: field.id }
      await rederiveField(context, graph, one)
      changed.push(one)
    }
  }
  const more = await rederive(context, graph, changed)
  for (const [id, fieldIds] of more) dirty.set(id, new Set([...(dirty.get(id) ?? []), ...fieldIds]))
  return dirty
}

/** Stores what the field is now. Answers whether that is another than before. */
async function rederiveField(
  context: TableContext,
  graph: SchemaGraph,
  { tableId, fieldId }: FieldPlace,
): Promise<boolean> {
  const { tx, userId, now, ids } = context
  const place = await graph.get(tableId)
  const { table, schema } = place
  const own = new Map(schema.fields.map(({ field }) => [field.id, field]))
  const before = own.get(fieldId)
  if (!before) return false
  const derived = await toRederived(graph, own, table.baseId, before)
  // What is read may grow beyond what this table has room for.
  const hasRoom = hasOptionsRoom(schema, before, derived)
  const after = hasRoom ? derived : toBroken(before)
  if (isSame(before, after)) return false
  if (before.notNull && !after.notNull) await tx.fields.allowEmpty(table, before)
  if (isComputed(after)) await replaceComputedColumn(context, place, before, after)
  await tx.fields.update(table, before, after)
  await graph.put(await tx.tables.changeSchema(tableId, ids.revision(), now))
  const payload = { tableId, fieldId }
  tx.emit({ name: 'field.updated', time: now, userId, payload })
  return true
}

/** The field as it is, given those that it reads. */
async function toRederived(
  graph: SchemaGraph,
  own: ReadonlyMap<string, Field>,
  baseId: string,
  before: Field,
): Promise<Field> {
  const broken = toBroken(before)
  const derived = await derive(before, fieldSources(own, baseId, anyTable(graph)))
  if (derived instanceof DerivationRefusal) return broken
  const after = { ...before, ...withoutMisfit(derived), hasError: false }
  // Titles that come from another field now could make a link follow from itself.
  return (await findCircle(graph, after)) ? broken : after
}

/** Nobody can fill cells that have an error. */
function toBroken(before: Field): Field {
  return { ...before, hasError: true, notNull: false }
}

function withoutMisfit<T extends { readonly misfit?: unknown }>({ misfit: _, ...rest }: T) {
  return rest
}

function isSame(a: Field, b: Field): boolean {
  const members = ['type', 'options', 'lookupOptions', 'result', 'hasError'] as const
  return members.every((member) => JSON.stringify(a[member]) === JSON.stringify(b[member]))
}
