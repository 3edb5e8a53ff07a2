import type { ReadTx } from '../store.ts'
import { ContentDigest } from '../undo/content-digest.ts'
import { settingsOf } from './view.ts'

/** A digest of what people made of a view; of nothing where there is none of the id. */
export async function digestView(
  tx: Pick<ReadTx, 'views'>,
  { tableId, viewId }: { readonly tableId: string; readonly viewId: string },
): Promise<string> {
  const digest = new ContentDigest()
  const view = await tx.views.find(tableId, viewId)
  if (view) {
    const { name, description, order, rowOrder, isLocked } = view
    digest.add([name, description, order, rowOrder?.id ?? null, isLocked, settingsOf(view)])
  }
  return digest.end()
}
