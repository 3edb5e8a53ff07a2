import type { FieldPlace } from '../../../schemas/readers-of.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { deletedPages } from '../../../trash/deleted-pages.ts'
import type { Field } from '../../field.ts'
import type { Filter } from '../../filter.ts'
import { filterOf, foreignTableIdOf, withFilter } from '../../link-of.ts'

/** Gives a filter with other names of choices. */
type Rename = (filter: Filter) => Filter

/**
 * Has filters of a table's records follow that lie in the trash, where nobody could mend them: those of its views, and those
 * of fields that read it or link to it, be it that the fields or their tables were deleted. They come back as they are then.
 */
export async function followInTrash(
  context: TableContext,
  graph: SchemaGraph,
  tableId: string,
  rename: Rename,
): Promise<void> {
  const { tx, ids } = context
  for await (const page of deletedPages((page) => tx.views.deletedIn(tableId, page))) {
    for (const { thing: view } of page) {
      const filter = view.filter && rename(view.filter)
      if (JSON.stringify(filter) !== JSON.stringify(view.filter)) {
        await tx.views.update({ ...view, filter })
      }
    }
  }
  const links = await tx.fields.linkEndsOf(tableId)
  const linkedIds = new Set([tableId, ...links.map(({ foreignTableId }) => foreignTableId)])
  for (const id of [...linkedIds].toSorted()) {
    const isLiving = (await graph.find(id)) !== undefined
    const table = isLiving ? undefined : await tx.tables.findOrTrash(id, 'update')
    const fields = table ? (await tx.fields.schemaOf(table)).fields.map(({ field }) => field) : []
    await renameIn(context, tableId, fields, rename)
    for await (const page of deletedPages((page) => tx.fields.deletedIn(id, page))) {
      const deleted = page.map(({ thing }) => thing)
      await renameIn(context, tableId, deleted, rename)
    }
    // What is kept of its fields is of the time before.
    if (table) await tx.tables.renewSchema(table.id, ids.revision())
  }
}

/** The lookups of a field that lie in the trash of living tables: filters of these that name them stay, and work again with them. */
export async function lookupsInTrash(
  { tx }: Pick<TableContext, 'tx'>,
  graph: SchemaGraph,
  { tableId, fieldId }: FieldPlace,
): Promise<readonly FieldPlace[]> {
  const found: FieldPlace[] = []
  const links = await tx.fields.linkEndsOf(tableId)
  const linkedIds = new Set(links.map(({ foreignTableId }) => foreignTableId))
  for (const { table } of await graph.load([...linkedIds].toSorted())) {
    for await (const page of deletedPages((page) => tx.fields.deletedIn(table.id, page))) {
      for (const { thing } of page) {
        const isLookup = thing.isLookup && thing.lookupOptions?.lookupFieldId === fieldId
        if (isLookup) found.push({ tableId: table.id, fieldId: thing.id })
      }
    }
  }
  return found
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
