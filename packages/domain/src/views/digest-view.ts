import { filterByChoiceIds } from '../schemas/filter-by-choice-ids.ts'
import type { ReadTx } from '../store.ts'
import { ContentDigest } from '../undo/content-digest.ts'
import { settingsOf } from './view.ts'

/** A digest of what people made of a view, whatever choices are called by now; of nothing where there is none of the id. */
export async function digestView(
  tx: ReadTx,
  { tableId, viewId }: { readonly tableId: string; readonly viewId: string },
): Promise<string> {
  const digest = new ContentDigest()
  const view = await tx.views.find(tableId, viewId)
  if (view) {
    const { name, description, order, rowOrder, isLocked } = view
    const filter = view.filter && (await filterByChoiceIds(tx, tableId, view.filter))
    const settings = { ...settingsOf(view), filter }
    digest.add([name, description, order, rowOrder?.id ?? null, isLocked, settings])
  }
  return digest.end()
}
