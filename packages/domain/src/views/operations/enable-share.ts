import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { keepShare, shareOf } from '../keep-share.ts'
import { onChangedView } from '../view-guard.ts'

const input = z.object({ tableId: idSchema, viewId: idSchema })

const output = z.object({ shareId: z.string().describe('What the link names') })

/** Shares a view by a new link; one that is shared keeps the link that it has. */
export const enableShare = defineWrite({
  summary: 'Share a view',
  input,
  output,
  access: onChangedView('view|share'),
  run: async (context) => {
    const share = await shareOf(context, context.view)
    if (share.shareId !== null) return { shareId: share.shareId }
    const shareId = context.ids.next('share')
    await keepShare(context, context.view, { ...share, shareId })
    return { shareId }
  },
})

/** Ends the link of a view, for good. What visitors could see and do is kept for the next one. */
export const disableShare = defineWrite({
  summary: 'Stop sharing a view',
  input,
  output: noOutput,
  access: onChangedView('view|share'),
  run: async (context) => {
    const share = await shareOf(context, context.view)
    if (share.shareId === null) return
    await keepShare(context, context.view, { ...share, shareId: null })
  },
})

/** Gives a view that is shared a new link in the place of the one that it has, which ends. */
export const refreshShareId = defineWrite({
  summary: 'Replace the link of a shared view',
  input,
  output,
  access: onChangedView('view|share'),
  run: async (context) => {
    const share = await shareOf(context, context.view)
    if (share.shareId === null) {
      throw invalidAt(['viewId'], 'must be a view that is shared: share it first')
    }
    const shareId = context.ids.next('share')
    await keepShare(context, context.view, { ...share, shareId })
    return { shareId }
  },
})
