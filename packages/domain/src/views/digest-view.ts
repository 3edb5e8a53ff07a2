import { toChoiceIds } from '../schemas/choice-names.ts'
import { withValues } from '../schemas/filter-values.ts'
import { SchemaGraph } from '../schemas/schema-graph.ts'
import type { ReadTx } from '../store.ts'
import { ContentDigest } from '../undo/content-digest.ts'
import { settingsOf, type View } from './view.ts'

/** A digest of what people made of a view, whatever choices are called by now; of nothing where there is none of the id. */
export async function digestView(
  tx: ReadTx,
  { tableId, viewId }: { readonly tableId: string; readonly viewId: string },
): Promise<string> {
  const digest = new ContentDigest()
  const view = await tx.views.find(tableId, viewId)
  if (view) {
    const { name, description, order, rowOrder, isLocked } = view
    const settings = { ...settingsOf(view), filter: await filterByIds(tx, view) }
    digest.add([name, description, order, rowOrder?.id ?? null, isLocked, settings])
  }
  return digest.end()
}

/** The filter, with the ids of choices in the place of their names. */
async function filterByIds(tx: ReadTx, { tableId, filter }: View): Promise<View['filter']> {
  const table = filter && (await new SchemaGraph(tx, 'none').find(tableId))
  return table ? withValues(filter, toChoiceIds(table.schema)) : filter
}
