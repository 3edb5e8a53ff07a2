import type { GraphTable, SchemaGraph } from '../calculations/schema-graph.ts'
import { waitForPending } from '../calculations/wait-for-pending.ts'
import { assert } from '../errors.ts'
import type { Field } from '../fields/field.ts'
import { typeOf } from '../fields/field-values.ts'
import { requireOptionsRoomForNew } from '../fields/options-room.ts'
import { neighboursIn, placeFields } from '../fields/place-fields.ts'
import type { Ids } from '../ids.ts'
import type { TableContext } from '../tables/table-context.ts'
import { requireAtOtherEnd } from './require-at-other-end.ts'

/** Which field, of which table. */
export interface PlacedField {
  readonly tableId: string
  readonly fieldId: string
}

/** Gives new link fields the place of their pairs, and the id of the field at the other end. */
export function asMakers(
  fields: readonly Field[],
  { baseId, ids }: { readonly baseId: string; readonly ids: Ids },
): readonly Field[] {
  return fields.map((field) => {
    const ability = linkAbilityOf(field)
    if (!ability) return field
    const symmetricFieldId = ability.isOneWay(field.options) ? undefined : ids.next('field')
    const maker = { baseId, fieldId: field.id, symmetricFieldId }
    return { ...field, options: ability.asMaker(field.options, maker) }
  })
}

/** The link ability of a field that is a link; a lookup of links is none. */
export function linkAbilityOf(field: Pick<Field, 'type' | 'isLookup'>) {
  return field.isLookup ? undefined : typeOf(field).link
}

/**
 * Makes the links of fields that were just added to a table: the place of their pairs and, unless they
 * are one-way, a field in each linked table. Either waits for titles that are pending. Throws restricted_resource when that lies in a base where
 * the caller may not create fields.
 */
export async function makeLinks(
  context: TableContext,
  graph: SchemaGraph,
  tableId: string,
  fields: readonly Field[],
): Promise<void> {
  for (const field of fields) {
    const ability = linkAbilityOf(field)
    if (!ability) continue
    await context.tx.links.create(ability.endOf(field.options))
    await addSymmetricField(context, graph, field)
  }
  await renewTargets(context, graph, tableId, fields)
  for (const field of fields.filter(linkAbilityOf)) {
    await waitForPending(context, graph, { tableId, fieldIds: [field.id] })
    const symmetric = symmetricOf(field)
    if (!symmetric) continue
    await waitForPending(context, graph, { ...symmetric, fieldIds: [symmetric.fieldId] })
  }
}

/** Gives a link that is to be shown from the linked table its field there. */
export async function addSymmetricField(
  context: TableContext,
  graph: SchemaGraph,
  field: Field,
): Promise<void> {
  const symmetric = symmetricOf(field)
  if (!symmetric) return
  const own = await graph.get(field.tableId)
  const foreign = await graph.get(symmetric.tableId)
  await requireAtOtherEnd(context, own, foreign, 'field|create')
  await addSymmetric(context, graph, { own, foreign, field, symmetricFieldId: symmetric.fieldId })
}

interface NewSymmetric {
  readonly own: GraphTable
  readonly foreign: GraphTable
  readonly field: Field
  readonly symmetricFieldId: string
}

/** Adds the field that shows the link from the linked table, called as this table is. */
async function addSymmetric(
  { tx, userId, now, ids }: TableContext,
  graph: SchemaGraph,
  { own, foreign, field, symmetricFieldId }: NewSymmetric,
): Promise<void> {
  const { table, schema } = foreign
  const type = typeOf(field)
  const maker = { fieldId: field.id, tableId: own.table.id }
  const options = {
    ...(type.link?.asSymmetric(field.options, maker) as object),
    lookupFieldId: own.schema.primary.field.id,
    ...(own.table.baseId === table.baseId ? {} : { baseId: own.table.baseId }),
  }
  const definition = { type: field.type, id: symmetricFieldId, name: own.table.name }
  const [symmetric] = placeFields(
    [{ definition, type, options, defaultName: own.table.name }],
    await neighboursIn(tx, schema),
    { tableId: table.id, userId, now, ids, pathOf: () => ['options', 'isOneWay'] },
  )
  assert(symmetric, 'one definition makes one field')
  const existing = schema.fields.map((one) => one.field)
  requireOptionsRoomForNew(existing, [symmetric], () => ['options', 'isOneWay'])
  await tx.fields.insert(table, symmetric)
  await graph.put(await tx.tables.changeSchema(table.id, ids.revision(), now))
  const payload = { tableId: table.id, fieldId: symmetric.id }
  tx.emit({ name: 'field.created', time: now, userId, payload })
}

/**
 * Lets the tables that fields read through links know of it: what is kept of their fields tells who
 * reads them.
 */
export async function renewTargets(
  { tx, ids }: TableContext,
  graph: SchemaGraph,
  tableId: string,
  fields: readonly Field[],
): Promise<void> {
  const targets = fields.flatMap((field) => foreignTableIdOf(field) ?? [])
  if (targets.length === 0) return
  for (const place of await graph.load([...new Set([...targets, tableId])].toSorted())) {
    await graph.put(await tx.tables.renewSchema(place.table.id, ids.revision()))
  }
}

/** The field that shows a link from its other end; undefined for a link without one, and for no link. */
export function symmetricOf(field: Field): PlacedField | undefined {
  const target = linkAbilityOf(field)?.targetOf(field.options)
  if (target?.symmetricFieldId === undefined) return undefined
  return { tableId: target.foreignTableId, fieldId: target.symmetricFieldId }
}

/** The table that the field links to or reads through a link; undefined for any other field. */
export function foreignTableIdOf(field: Field): string | undefined {
  const target = linkAbilityOf(field)?.targetOf(field.options).foreignTableId
  return target ?? field.lookupOptions?.foreignTableId
}
