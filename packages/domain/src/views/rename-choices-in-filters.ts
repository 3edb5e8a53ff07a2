import type { Filter, FilterItem } from '../fields/filter.ts'
import type { TableContext } from '../tables/table-context.ts'
import { changeView } from './change-view.ts'

/**
 * Has the filters of views follow choices of a field of their table that got other names, by their old ones. Locked
 * views follow, too: they show the same records as before.
 */
export async function renameChoicesInFilters(
  context: TableContext,
  { tableId, fieldId }: { readonly tableId: string; readonly fieldId: string },
  newNames: ReadonlyMap<string, string>,
): Promise<void> {
  if (newNames.size === 0) return
  for (const view of await context.tx.views.listOf(tableId)) {
    if (!view.filter) continue
    await changeView(context, view, { filter: renamedIn(view.filter, fieldId, newNames) })
  }
}

function renamedIn(filter: Filter, fieldId: string, newNames: ReadonlyMap<string, string>): Filter {
  const renamed = (value: unknown) => newNames.get(value as string) ?? value
  const filterSet = filter.filterSet.map((item): FilterItem | Filter => {
    if ('filterSet' in item) return renamedIn(item, fieldId, newNames)
    if (item.fieldId !== fieldId || item.value === undefined) return item
    const { value } = item
    return { ...item, value: Array.isArray(value) ? value.map(renamed) : renamed(value) }
  })
  return { ...filter, filterSet }
}
