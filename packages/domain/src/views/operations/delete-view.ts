import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { noOutput } from '../../no-output.ts'
import { defineWrite } from '../../use-case.ts'
import { onChangedView } from '../view-guard.ts'

/** Moves a view to the trash of its table; the last one, too. */
export const deleteView = defineWrite({
  summary: 'Delete a view',
  input: z.object({ tableId: idSchema, viewId: idSchema }),
  output: noOutput,
  access: onChangedView('view|delete', 'update'),
  run: async ({ tx, now: time, userId, ids, undo }, { tableId, viewId }) => {
    const deletion = { operationId: ids.next('operation'), time, userId }
    await tx.views.markDeleted(viewId, deletion)
    const what = { resourceType: 'view', resourceIds: [viewId] } as const
    await tx.trash.add(deletion, { placeId: tableId, ...what })
    undo?.noteFinal('A view that was deleted is restored from the trash')
    tx.emit({ name: 'view.deleted', time, userId, payload: { tableId, viewId } })
  },
})
