import type { FieldPlace } from '../../../schemas/readers-of.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Table } from '../../../tables/table.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { deletedPages } from '../../../trash/deleted-pages.ts'
import type { View } from '../../../views/view.ts'
import type { Field } from '../../field.ts'
import type { Filter } from '../../filter.ts'
import { filterOf, foreignTableIdOf, withFilter } from '../../link-of.ts'

/** Gives a filter with other names of choices. */
type Rename = (filter: Filter) => Filter

/**
 * Has filters of a table's records follow that lie in the trash, where nobody could mend them: those of its views, and those
 * of fields that read it or link to it, be it that the views, the fields or their tables were deleted. They come back as they are
 * then.
 */
export async function followInTrash(
  context: TableContext,
  graph: SchemaGraph,
  tableId: string,
  rename: Rename,
): Promise<void> {
  const { tx, ids } = context
  for await (const views of viewsInTrash(context, graph, tableId)) {
    for (const view of views) {
      const filter = view.filter && rename(view.filter)
      if (JSON.stringify(filter) !== JSON.stringify(view.filter)) {
        await tx.views.update({ ...view, filter })
      }
    }
  }
  for await (const { table, fields } of fieldsInTrash(context, graph, tableId)) {
    await renameIn(context, tableId, fields, rename)
    // What is kept of its fields is of the time before.
    if (table) await tx.tables.renewSchema(table.id, ids.revision())
  }
}

/**
 * The lookups that lie in the trash: filters that name them stay, and work again with them. What lies there around a table is read
 * once, however many of its fields are asked about.
 */
export class LookupsInTrash {
  readonly #context: Pick<TableContext, 'tx'>
  readonly #graph: SchemaGraph
  readonly #known = new Map<string, ReadonlyMap<string, readonly FieldPlace[]>>()

  constructor(context: Pick<TableContext, 'tx'>, graph: SchemaGraph) {
    this.#context = context
    this.#graph = graph
  }

  /** Those that look the field up. */
  async of({ tableId, fieldId }: FieldPlace): Promise<readonly FieldPlace[]> {
    const known = this.#known.get(tableId) ?? (await this.#read(tableId))
    this.#known.set(tableId, known)
    return known.get(fieldId) ?? []
  }

  /** Those in the table and the ones that it is linked with, by the fields that they look up. */
  async #read(tableId: string): Promise<ReadonlyMap<string, readonly FieldPlace[]>> {
    const found = new Map<string, FieldPlace[]>()
    for await (const { fields } of fieldsInTrash(this.#context, this.#graph, tableId)) {
      for (const { isLookup, lookupOptions, tableId, id } of fields) {
        if (!isLookup || !lookupOptions) continue
        const { lookupFieldId } = lookupOptions
        const places = found.get(lookupFieldId) ?? []
        places.push({ tableId, fieldId: id })
        found.set(lookupFieldId, places)
      }
    }
    return found
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

/** Fields that lie in the trash, and their table where they lie there with that. */
interface FieldsInTrash {
  readonly table: Table | undefined
  readonly fields: readonly Field[]
}

/** The fields in the trash of a table and of those that it is linked with, page by page. */
async function* fieldsInTrash(
  { tx }: Pick<TableContext, 'tx'>,
  graph: SchemaGraph,
  tableId: string,
): AsyncGenerator<FieldsInTrash> {
  const links = await tx.fields.linkEndsOf(tableId)
  const linkedIds = new Set([tableId, ...links.map(({ foreignTableId }) => foreignTableId)])
  for (const id of [...linkedIds].toSorted()) {
    const isLiving = (await graph.find(id)) !== undefined
    const table = isLiving ? undefined : await tx.tables.findOrTrash(id, 'update')
    if (table) {
      const { fields } = await tx.fields.schemaOf(table)
      yield { table, fields: fields.map(({ field }) => field) }
    }
    for await (const page of deletedPages((page) => tx.fields.deletedIn(id, page))) {
      yield { table, fields: page.map(({ thing }) => thing) }
    }
  }
}

/** Renames in the filters about the table that these of its fields or of others keep. */
async function renameIn(
  { tx }: TableContext,
  tableId: string,
  fields: readonly Field[],
  rename: Rename,
): Promise<void> {
  const changed = fields.flatMap((before) => {
    const filter = foreignTableIdOf(before) === tableId ? filterOf(before) : undefined
    const after = filter && withFilter(before, rename(filter))
    return after && JSON.stringify(after) !== JSON.stringify(before) ? [after] : []
  })
  if (changed.length > 0) await tx.fields.updateAll(changed)
}
