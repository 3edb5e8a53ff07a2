import type { ReadTx } from '../../store.ts'
import { requireView } from '../../views/require-view.ts'
import type { View } from '../../views/view.ts'

/** Which view a caller names, and whether only its columns count. */
interface ViewInput {
  readonly tableId: string
  readonly viewId?: string | undefined
  readonly ignoreViewQuery?: boolean | undefined
}

/**
 * The view that a caller names, and the same where its filter and order count: undefined where none is named, or
 * where the caller leaves them aside. `view_not_found` for one that there is not.
 */
export async function findViewQuery(
  tx: ReadTx,
  { tableId, viewId, ignoreViewQuery = false }: ViewInput,
): Promise<{ readonly view: View | undefined; readonly viewQuery: View | undefined }> {
  if (viewId === undefined) return { view: undefined, viewQuery: undefined }
  const view = await requireView(tx, { tableId, viewId })
  return { view, viewQuery: ignoreViewQuery ? undefined : view }
}
