import { z } from 'zod'
import { type Issue, invalidAt } from '../../../errors.ts'
import { idSchema } from '../../../ids.ts'
import type { TableReadContext } from '../../../tables/table-context.ts'
import type { TableScope } from '../../../tables/table-guard.ts'
import type { View } from '../../../views/view.ts'
import { requireUnlocked, requireViewChanger } from '../../../views/view-guard.ts'

/** The view in which a new field gets a place, and which. */
export const fieldPlaceSchema = z.object({ viewId: idSchema, orderIndex: z.number() })

type PlaceContext = TableReadContext & Pick<TableScope, 'table' | 'role'>

/** The view of the place that is sent for a new field of the table; undefined where none is. Throws as `viewOfPlace` does. */
export async function findViewOfPlace(
  context: PlaceContext,
  place: z.output<typeof fieldPlaceSchema> | undefined,
): Promise<View | undefined> {
  return place && viewOfPlace(context, place.viewId, ['order', 'viewId'])
}

/**
 * The view in which a new field of the table gets a place. Throws `validation_error`, at the path, for one that the table
 * doesn't have, and `restricted_resource` where it is locked or the caller may not change views.
 */
export async function viewOfPlace(
  context: PlaceContext,
  viewId: string,
  path: Issue['path'],
): Promise<View> {
  const { tx, table } = context
  requireViewChanger(context)
  const view = await tx.views.find(table.id, viewId)
  if (!view) throw invalidAt(path, 'must be a view of this table')
  requireUnlocked(view)
  return view
}
