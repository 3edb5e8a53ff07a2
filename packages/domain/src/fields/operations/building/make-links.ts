import { waitForPending } from '../../../calculations/pending/wait-for-pending.ts'
import { assert, type Issue } from '../../../errors.ts'
import { requireAtOtherEnd } from '../../../links/require-at-other-end.ts'
import type { LoadedTable, SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Table } from '../../../tables/table.ts'
import type { TableContext, TableReadContext } from '../../../tables/table-context.ts'
import type { Field } from '../../field.ts'
import { typeOf } from '../../field-values.ts'
import { foreignTableIdOf, linkCapabilityOf, symmetricOf } from '../../link-of.ts'
import {
  buildFields,
  type DefinitionPath,
  onlyDefinition,
  requireColumnRoom,
} from '../definition/build-fields.ts'
import { type TakenNames, takenNamesIn } from '../definition/field-namer.ts'
import { requireOptionsRoomForNew } from '../definition/options-room.ts'

/**
 * Makes the links of fields that were just added to a table: the place of their pairs and, unless they
 * are one-way, a field in each linked table. Either waits for titles that are pending. Throws as
 * `toSymmetricField` does; `pathOf` tells where the definition of a field stands in the request.
 */
export async function makeLinks(
  context: TableContext,
  graph: SchemaGraph,
  tableId: string,
  fields: readonly Field[],
  pathOf: DefinitionPath = onlyDefinition,
): Promise<void> {
  for (const [index, field] of fields.entries()) {
    const capability = linkCapabilityOf(field)
    if (!capability) continue
    await context.tx.links.create(capability.endOf(field.options))
    const pathOfLink: PathOf = (...members) => pathOf(index, ...members)
    await addSymmetricField(context, graph, field, pathOfLink)
  }
  await renewTargets(context, graph, tableId, fields)
  for (const field of fields.filter(linkCapabilityOf)) {
    await waitForPending(context, graph, { tableId, fieldIds: [field.id] })
    const symmetric = symmetricOf(field)
    if (!symmetric) continue
    await waitForPending(context, graph, { ...symmetric, fieldIds: [symmetric.fieldId] })
  }
}

/**
 * Gives a link that is to be shown from the linked table its field there. Throws as `toSymmetricField` does.
 */
export async function addSymmetricField(
  context: TableContext,
  graph: SchemaGraph,
  field: Field,
  pathOf: PathOf = asSent,
): Promise<void> {
  const made = await toSymmetricField(context, graph, field, pathOf)
  if (!made) return
  const { tx, userId, now, ids } = context
  const { table, symmetric } = made
  await tx.fields.insert(table, symmetric)
  await graph.put(await tx.tables.changeSchema(table.id, ids.revision(), now))
  const payload = { tableId: table.id, fieldId: symmetric.id }
  tx.emit({ name: 'field.created', time: now, userId, payload })
}

/** Where a member of a link's definition stands in the request. */
type PathOf = (...members: readonly string[]) => Issue['path']

const asSent: PathOf = (...members) => members

/**
 * The field that shows a link from the linked table, called as the link's own table is, and that table;
 * undefined for a link without one, and for no link. It is the same whether the link is stored already or
 * is to be. Throws restricted_resource where the caller may not create fields there, validation_error where
 * that table has no room for it.
 */
export async function toSymmetricField(
  context: TableReadContext,
  graph: SchemaGraph,
  field: Field,
  pathOf: PathOf = asSent,
): Promise<{ readonly table: Table; readonly symmetric: Field } | undefined> {
  const place = symmetricOf(field)
  if (!place) return undefined
  const own = await graph.get(field.tableId)
  const foreign = await graph.get(place.tableId)
  await requireAtOtherEnd(context, own, foreign, 'field|create')
  const { userId, now, ids } = context
  const { table } = foreign
  const { name } = own.table
  const type = typeOf(field)
  const owner = { fieldId: field.id, tableId: own.table.id }
  const options = {
    ...(type.link?.asSymmetric(field.options, owner) as object),
    lookupFieldId: own.schema.primary.field.id,
    ...(own.table.baseId === table.baseId ? {} : { baseId: own.table.baseId }),
  }
  const path = () => pathOf('options', 'isOneWay')
  const { neighbours, fields, isNew } = await takenBeside(context, foreign, field)
  const [symmetric] = await buildFields(
    [
      {
        definition: { type: field.type, id: place.fieldId, name },
        type,
        options,
        defaultName: name,
      },
    ],
    neighbours,
    { tableId: table.id, userId, now, ids, pathOf: path },
  )
  assert(symmetric, 'one definition makes one field')
  const added = isNew ? [field, symmetric] : [symmetric]
  await requireColumnRoom(context.tx, neighbours, table.id, added)
  requireOptionsRoomForNew(fields, [symmetric], path)
  return { table, symmetric }
}

/** What is taken in a linked table, by the link, too, where that is a new field of the same table. */
async function takenBeside(
  { tx }: TableReadContext,
  { table, schema }: LoadedTable,
  link: Field,
): Promise<{
  readonly neighbours: TakenNames
  readonly fields: readonly Field[]
  /** Whether the link is a new field of the same table; its column is not counted yet. */
  readonly isNew: boolean
}> {
  const neighbours = await takenNamesIn(tx, schema)
  const others = schema.fields.flatMap(({ field }) => (field.id === link.id ? [] : [field]))
  if (link.tableId !== table.id) return { neighbours, fields: others, isNew: false }
  const fields = [...others, link]
  if (schema.byKey.id.has(link.id)) return { neighbours, fields, isNew: false }
  const { names, count } = neighbours
  const taken = { names: new Set([...names, link.name]), count: count + 1 }
  return { neighbours: { ...neighbours, ...taken }, fields, isNew: true }
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
