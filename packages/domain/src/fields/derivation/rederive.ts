import type { GraphTable, SchemaGraph } from '../../calculations/schema-graph.ts'
import { foreignTableIdOf } from '../../links/make-links.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { findCircle } from '../conversion/find-circle.ts'
import { replaceComputedColumn } from '../conversion/replace-column.ts'
import type { Field } from '../field.ts'
import { derive, isComputed } from '../field-values.ts'
import { DerivationRefusal } from './derivation.ts'
import { anyTable, fieldSources } from './field-sources.ts'
import { readersOf } from './readers-of.ts'

/** Fields by table. */
export type FieldsByTable = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Works out anew what those fields are that read fields which changed, came or went, and what those are
 * that read them, and so on. One that can't be worked out any more has an error until it can. Returns the
 * fields whose cells are to be worked out anew.
 */
export async function rederive(
  context: TableContext,
  graph: SchemaGraph,
  changed: Iterable<{ readonly tableId: string; readonly fieldId: string }>,
): Promise<FieldsByTable> {
  const dirty = new Map<string, Set<string>>()
  const queue = [...changed]
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const { place, field } of await readersOf(graph, next)) {
      const known = dirty.get(place.table.id) ?? new Set()
      dirty.set(place.table.id, known.add(field.id))
      if (await rederiveField(context, graph, place, field)) {
        queue.push({ tableId: place.table.id, fieldId: field.id })
      }
    }
  }
  return dirty
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
  const changed: { tableId: string; fieldId: string }[] = []
  const dirty = new Map<string, Set<string>>()
  for (const place of await graph.load(inboundTableIds)) {
    for (const { field } of place.schema.fields) {
      if (foreignTableIdOf(field) !== tableId) continue
      const known = dirty.get(place.table.id) ?? new Set()
      dirty.set(place.table.id, known.add(field.id))
      await rederiveField(context, graph, await graph.get(place.table.id), field)
      changed.push({ tableId: place.table.id, fieldId: field.id })
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
  { table }: GraphTable,
  { id }: Field,
): Promise<boolean> {
  const { tx, userId, now, ids } = context
  const place = await graph.get(table.id)
  const { schema } = place
  const own = new Map(schema.fields.map(({ field }) => [field.id, field]))
  const before = own.get(id)
  if (!before) return false
  const after = await toRederived(graph, own, table.baseId, before)
  if (isSame(before, after)) return false
  if (before.notNull && !after.notNull) await tx.fields.allowEmpty(table, before)
  if (isComputed(after)) await replaceComputedColumn(context, place, before, after)
  await tx.fields.update(table, before, after)
  await graph.put(await tx.tables.changeSchema(table.id, ids.revision(), now))
  const payload = { tableId: table.id, fieldId: id }
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
  // Nobody can fill cells that have an error.
  const broken = { ...before, hasError: true, notNull: false }
  const derived = await derive(before, fieldSources(own, baseId, anyTable(graph)))
  if (derived instanceof DerivationRefusal) return broken
  const after = { ...before, ...withoutMisfit(derived), hasError: false }
  // Titles that come from another field now could make a link follow from itself.
  return (await findCircle(graph, after)) ? broken : after
}

function withoutMisfit<T extends { readonly misfit?: unknown }>({ misfit: _, ...rest }: T) {
  return rest
}

function isSame(a: Field, b: Field): boolean {
  const members = ['type', 'options', 'lookupOptions', 'result', 'hasError'] as const
  return members.every((member) => JSON.stringify(a[member]) === JSON.stringify(b[member]))
}
