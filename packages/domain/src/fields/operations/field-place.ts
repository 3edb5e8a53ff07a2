import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import type { ReadTx } from '../../store.ts'
import type { View } from '../../views/view.ts'
import { requireUnlocked } from '../../views/view-guard.ts'

/** The view in which a new field gets a place, and which. */
export const fieldPlaceSchema = z.object({ viewId: idSchema, orderIndex: z.number() })

/**
 * The view in which a new field of the table gets a place; undefined where none is named. Throws `validation_error` for one
 * that the table doesn't have, and `restricted_resource` for one that is locked.
 */
export async function findViewOfPlace(
  { views }: Pick<ReadTx, 'views'>,
  tableId: string,
  place: z.output<typeof fieldPlaceSchema> | undefined,
): Promise<View | undefined> {
  if (!place) return undefined
  const view = await views.find(tableId, place.viewId)
  if (!view) throw invalidAt(['order', 'viewId'], 'must be a view of this table')
  requireUnlocked(view)
  return view
}
