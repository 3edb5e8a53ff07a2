import type { FieldPlace } from '../../../../schemas/readers-of.ts'
import type { SchemaGraph } from '../../../../schemas/schema-graph.ts'
import type { Table } from '../../../../tables/table.ts'
import type { TableContext } from '../../../../tables/table-context.ts'
import { deletedPages } from '../../../../trash/deleted-pages.ts'
import { requireRoomForViews } from '../../../../views/change-view.ts'
import type { View } from '../../../../views/view.ts'
import type { Field } from '../../../field.ts'
import type { Filter } from '../../../filter.ts'
import { filterOf, foreignTableIdOf, withFilter } from '../../../link-of.ts'
import { requireRoomForLonger } from '../../definition/options-room.ts'

/** Gives a filter with other names of choices. */
export type Rename = (filter: Filter) => Filter

/**
 * Has filters of the records of tables follow that lie in the trash, where nobody could mend them: those of their views, and
 * those of fields that read them or link to them, be it that the views, the fields or their tables were deleted. They come back
 * as they are then. Throws validation_error where a table there has no room for longer ones.
 */
export async function followInTrash(
  context: TableContext,
  graph: SchemaGraph,
  renames: ReadonlyMap<string, Rename>,
): Promise<void> {
  const { tx, ids } = context
  for (const [tableId, rename] of renames) await renameInViews(context, graph, tableId, rename)
  for (const tableId of await withLinked(context, renames.keys())) {
    for await (const page of fieldsInTrash(context, graph, tableId)) {
      const hasChanged = await renameIn(context, page, renames)
      // What is kept of its fields is of the time before.
      if (hasChanged && page.table) await tx.tables.renewSchema(tableId, ids.revision())
    }
  }
}

/** Renames in the filters of the views of a table that lie in the trash. */
async function renameInViews(
  context: TableContext,
  graph: SchemaGraph,
  tableId: string,
  rename: Rename,
): Promise<void> {
  let isLonger = false
  for await (const views of viewsInTrash(context, graph, tableId)) {
    for (const view of views) {
      const filter = view.filter && rename(view.filter)
      const [before, after] = [JSON.stringify(view.filter), JSON.stringify(filter)]
      if (after === before) continue
      await context.tx.views.update({ ...view, filter })
      isLonger ||= (after?.length ?? 0) > (before?.length ?? 0)
    }
  }
  // A view that comes back by itself is asked for room then.
  if (isLonger && !(await graph.find(tableId))) await requireRoomForViews(context, tableId)
}

/**
 * The lookups that lie in the trash: filters that name them stay, and work again with them. What lies there around a table is read
 * once, however many fields of it and of tables that are linked with it are asked about.
 */
export class LookupsInTrash {
  readonly #context: Pick<TableContext, 'tx'>
  readonly #graph: SchemaGraph
  readonly #asked = new Set<string>()
  readonly #read = new Set<string>()
  readonly #places = new Map<string, FieldPlace[]>()

  constructor(context: Pick<TableContext, 'tx'>, graph: SchemaGraph) {
    this.#context = context
    this.#graph = graph
  }

  /** The lookups of the field. */
  async of({ tableId, fieldId }: FieldPlace): Promise<readonly FieldPlace[]> {
    for (const id of await this.#around(tableId)) await this.#readOnce(id)
    return this.#places.get(fieldId) ?? []
  }

  /** The table and those that it is linked with. */
  async #around(tableId: string): Promise<readonly string[]> {
    if (this.#asked.has(tableId)) return []
    this.#asked.add(tableId)
    return withLinked(this.#context, [tableId])
  }

  async #readOnce(tableId: string): Promise<void> {
    if (this.#read.has(tableId)) return
    this.#read.add(tableId)
    for await (const { fields } of fieldsInTrash(this.#context, this.#graph, tableId)) {
      for (const { isLookup, lookupOptions, tableId, id } of fields) {
        if (!isLookup || !lookupOptions) continue
        const { lookupFieldId } = lookupOptions
        const places = this.#places.get(lookupFieldId) ?? []
        places.push({ tableId, fieldId: id })
        this.#places.set(lookupFieldId, places)
      }
    }
  }
}

/** The views of a table that lie in the trash, by themselves or with it, page by page. */
async function* viewsInTrash(
  { tx }: Pick<TableContext, 'tx'>,
  graph: SchemaGraph,
  tableId: string,
): AsyncGenerator<readonly View[]> {
  if (!(await graph.find(tableId))) yield await tx.views.listOf(tableId)
  for await (const page of deletedPages((page) => tx.views.deletedIn(tableId, page))) {
    yield page.map(({ thing }) => thing)
  }
}

/** Fields that lie in the trash; with their table where they are all that lie there with that. */
interface FieldsInTrash {
  readonly table: Table | undefined
  readonly fields: readonly Field[]
}

/** The tables and those that they are linked with, in the order in which tables are held. */
async function withLinked(
  { tx }: Pick<TableContext, 'tx'>,
  tableIds: Iterable<string>,
): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const tableId of tableIds) {
    found.add(tableId)
    for (const { foreignTableId } of await tx.fields.linkEndsOf(tableId)) found.add(foreignTableId)
  }
  return [...found].toSorted()
}

/** The fields of a table that lie in the trash, by themselves or with it, page by page. */
async function* fieldsInTrash(
  { tx }: Pick<TableContext, 'tx'>,
  graph: SchemaGraph,
  tableId: string,
): AsyncGenerator<FieldsInTrash> {
  const isLiving = (await graph.find(tableId)) !== undefined
  const table = isLiving ? undefined : await tx.tables.findOrTrash(tableId, 'update')
  if (table) {
    const { fields } = await tx.fields.schemaOf(table)
    yield { table, fields: fields.map(({ field }) => field) }
  }
  for await (const page of deletedPages((page) => tx.fields.deletedIn(tableId, page))) {
    yield { table: undefined, fields: page.map(({ thing }) => thing) }
  }
}

/**
 * Renames in the filters about the tables that these fields keep. Where they are all fields of a table, it must have room for
 * longer ones; a field that is restored by itself is asked for room then.
 */
async function renameIn(
  { tx }: TableContext,
  { table, fields }: FieldsInTrash,
  renames: ReadonlyMap<string, Rename>,
): Promise<boolean> {
  const after = fields.map((before) => renamedField(before, renames))
  const changed = after.filter((field, index) => field !== fields[index])
  if (changed.length === 0) return false
  if (table) requireRoomForLonger(fields, after)
  await tx.fields.updateAll(changed)
  return true
}

/** The field with other names in the filter that it keeps about one of the tables; itself where nothing of it has another name. */
export function renamedField(field: Field, renames: ReadonlyMap<string, Rename>): Field {
  const rename = renames.get(foreignTableIdOf(field) ?? '')
  const filter = rename && filterOf(field)
  const renamed = rename && filter && rename(filter)
  if (!renamed || JSON.stringify(renamed) === JSON.stringify(filter)) return field
  return withFilter(field, renamed)
}
