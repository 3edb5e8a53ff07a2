import { renameInCharts } from '../../../charts/rename-in-charts.ts'
import { invalidAt } from '../../../errors.ts'
import { type FieldPlace, readersOf } from '../../../schemas/readers-of.ts'
import type { LoadedTable, SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { changeView } from '../../../views/change-view.ts'
import type { Field } from '../../field.ts'
import type { Filter, FilterItem } from '../../filter.ts'
import { filterOf, foreignTableIdOf, withFilter } from '../../link-of.ts'
import { noOptionsRoom, roomBeside, settingsLength } from '../options-room.ts'
import { followInTrash, LookupsInTrash } from './follow-in-trash.ts'

/**
 * Has filters follow choices of a select that got other names, by their old ones: those of views, locked ones and such in the
 * trash among them, of fields that read linked records, and of charts; about the select, and about lookups that show its choices.
 * Throws validation_error where a table has no room for longer ones.
 */
export async function followChoiceNames(
  context: TableContext,
  graph: SchemaGraph,
  select: FieldPlace,
  newNames: ReadonlyMap<string, string>,
): Promise<void> {
  if (newNames.size === 0) return
  const fieldIdsByBase = new Map<string, Set<string>>()
  for (const [tableId, fieldIds] of await fieldsShowing(context, graph, select)) {
    const rename = (filter: Filter) => renamedIn(filter, fieldIds, newNames)
    const place = await graph.find(tableId)
    if (place) await renameAround(context, graph, place, rename)
    await followInTrash(context, graph, tableId, rename)
    const table = place?.table ?? (await context.tx.tables.findOrTrash(tableId, 'none'))
    if (!table) continue
    const ofBase = fieldIdsByBase.get(table.baseId) ?? new Set()
    fieldIdsByBase.set(table.baseId, ofBase.union(fieldIds))
  }
  for (const [baseId, fieldIds] of fieldIdsByBase) {
    await renameInCharts(context, baseId, (filter) => renamedIn(filter, fieldIds, newNames))
  }
}

/** Renames in the filters of a table's views, and in those of fields of living tables that are about it. */
async function renameAround(
  context: TableContext,
  graph: SchemaGraph,
  { table: { id: tableId }, schema }: LoadedTable,
  rename: (filter: Filter) => Filter,
): Promise<void> {
  for (const view of await context.tx.views.listOf(tableId)) {
    if (view.filter) await changeView(context, view, { filter: rename(view.filter) })
  }
  for (const { table } of await graph.load([...new Set([tableId, ...schema.inboundTableIds])])) {
    await renameInFields(context, graph, await graph.get(table.id), tableId, rename)
  }
}

/** The select and the lookups that show its choices, over whatever other lookups, by table; such in the trash, too. */
async function fieldsShowing(
  context: TableContext,
  graph: SchemaGraph,
  select: FieldPlace,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>()
  const inTrash = new LookupsInTrash(context, graph)
  const queue = [select]
  for (const place of queue) {
    const inTable = found.get(place.tableId) ?? new Set()
    if (inTable.has(place.fieldId)) continue
    found.set(place.tableId, inTable.add(place.fieldId))
    for (const { field } of await readersOf(graph, place)) {
      const isShowing = field.isLookup && field.lookupOptions?.lookupFieldId === place.fieldId
      if (isShowing) queue.push({ tableId: field.tableId, fieldId: field.id })
    }
    queue.push(...(await inTrash.of(place)))
  }
  return found
}

/** Renames in the filters that fields of a table keep about another one, or about itself. */
async function renameInFields(
  { tx, now, userId, ids }: TableContext,
  graph: SchemaGraph,
  { table, schema }: LoadedTable,
  foreignTableId: string,
  rename: (filter: Filter) => Filter,
): Promise<void> {
  const changes = schema.fields.flatMap(({ field: before }) => {
    const filter = foreignTableIdOf(before) === foreignTableId ? filterOf(before) : undefined
    const after = filter && withFilter(before, rename(filter))
    return after && JSON.stringify(after) !== JSON.stringify(before) ? [{ before, after }] : []
  })
  if (changes.length === 0) return
  const lengthOf = (fields: readonly Field[]) =>
    fields.reduce((sum, field) => sum + settingsLength(field), 0)
  const [before, after] = [changes.map((one) => one.before), changes.map((one) => one.after)]
  const growth = lengthOf(after) - lengthOf(before)
  if (growth > 0 && growth > roomBeside(schema, '')) throw invalidAt(['options'], noOptionsRoom())
  await tx.fields.updateAll(after)
  await graph.put(await tx.tables.changeSchema(table.id, ids.revision(), now))
  for (const { id } of after) {
    const payload = { tableId: table.id, fieldId: id }
    tx.emit({ name: 'field.updated', time: now, userId, payload })
  }
}

function renamedIn(
  filter: Filter,
  fieldIds: ReadonlySet<string>,
  newNames: ReadonlyMap<string, string>,
): Filter {
  const renamed = (value: unknown) => newNames.get(value as string) ?? value
  const filterSet = filter.filterSet.map((item): FilterItem | Filter => {
    if ('filterSet' in item) return renamedIn(item, fieldIds, newNames)
    if (!fieldIds.has(item.fieldId) || item.value === undefined) return item
    const { value } = item
    return { ...item, value: Array.isArray(value) ? value.map(renamed) : renamed(value) }
  })
  return { ...filter, filterSet }
}
