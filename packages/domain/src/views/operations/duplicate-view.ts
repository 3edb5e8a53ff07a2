import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { copyInstalls, nameCopiesOf } from '../../boards/copy-board.ts'
import { idSchema } from '../../ids.ts'
import { addInstalls } from '../../plugin-installs/add-installs.ts'
import type { TableContext } from '../../tables/table-context.ts'
import type { TableScope } from '../../tables/table-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { renameAll } from '../../values/rename-all.ts'
import { type View, viewOutput } from '../view.ts'
import { onView } from '../view-guard.ts'
import { addView, placeForView } from './add-view.ts'
import { freezeMany, freezeNow, standing } from './freeze-row-order.ts'

const requireReadable = onView('view|create')

/** Adds a view like another one, behind all others. The copy of a locked view isn't locked. */
export const duplicateView = defineWrite({
  summary: 'Duplicate a view',
  input: z.object({ tableId: idSchema, viewId: idSchema }),
  output: viewOutput,
  access: showing(onView('view|create', { table: 'update', view: 'none' }), 'view|read'),
  prepare: ({ actor, store, ids, now }, input) =>
    freezeMany({ store, ids, now }, async (tx) => {
      const { scope } = await requireReadable.enter(tx, actor, input)
      const { rowOrder } = scope.view
      return rowOrder ? standing(await tx.fields.schemaOf(scope.table), rowOrder) : undefined
    }),
  run: async (context) => {
    const { view, userId, now, ids, prepared } = context
    const { schema, name, order } = await placeForView(context, view.name)
    // An order of its own, in which rows can be moved without moving those of the original.
    const rowOrder =
      view.rowOrder && (await freezeNow(context, standing(schema, view.rowOrder), prepared))
    const id = ids.next('view')
    const copy = {
      ...view,
      rowOrder,
      id,
      options: await copyPluginOf(context, view, id),
      ...{ name, order, isLocked: false, version: 1 },
      ...{ createdBy: userId, createdTime: now, lastModifiedBy: null, lastModifiedTime: null },
    }
    return addView(context, copy, schema)
  },
})

/** Copies the plugin of a view, if it has one. Answers the options of the copy, which name it. */
async function copyPluginOf(
  context: TableContext & Pick<TableScope, 'base'>,
  view: View,
  copyId: string,
): Promise<View['options']> {
  const { tx, base } = context
  if (view.type !== 'plugin') return view.options
  const idByOriginal = new Map([
    [view.id, copyId],
    [view.tableId, view.tableId],
  ])
  const originals = await tx.pluginInstalls.heldAt(view.id)
  nameCopiesOf(context, originals, idByOriginal)
  await addInstalls(tx, copyInstalls(context, originals, base.id, idByOriginal))
  return renameAll(view.options, idByOriginal)
}
