import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { keepShare, shareOf } from '../keep-share.ts'
import { mergeSettings } from '../merge-settings.ts'
import { onChangedView, onView } from '../view-guard.ts'
import { passwordMask, shareSettingsShape } from '../view-share.ts'

const mayShare = onView('view|share')

/** Decides what visitors of a share may see and do: what is left out stays, null takes the password away. */
export const setShareMeta = defineWrite({
  summary: 'Change the settings of a share',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema,
    ...shareSettingsShape,
    password: textUpTo(limits.passwordLengthMax)
      .min(limits.sharePasswordLengthMin)
      .nullable()
      .optional()
      .describe('What visitors are asked for; null for nothing'),
  }),
  output: noOutput,
  access: onChangedView('view|share'),
  needs: ['passwords'],
  // A hash takes a while: it is made for those alone who may set it, and holds nobody up.
  prepare: async ({ store, actor, passwords, ids }, input) => {
    const { password } = input
    if (password === undefined || password === passwordMask) return undefined
    await store.read((tx) => mayShare.enter(tx, actor, input))
    if (password === null) return { passwordHash: null, passwordTag: null }
    return { passwordHash: await passwords.hash(password), passwordTag: ids.revision() }
  },
  run: async (context, { tableId: _table, viewId: _view, password, submit, ...settings }) => {
    const { view, prepared } = context
    if (submit?.allow && view.type !== 'form') {
      throw invalidAt(['submit', 'allow'], 'must be left out: only a form can be sent')
    }
    const share = await shareOf(context, view)
    // To pass over it would leave open what its sender takes for closed.
    if (password === passwordMask && share.passwordHash === null) {
      throw invalidAt(['password'], 'must be a password: this share has none that could be kept')
    }
    await keepShare(context, view, {
      ...share,
      settings: {
        ...mergeSettings(share.settings, settings),
        ...(submit && { submit: mergeSettings(share.settings.submit ?? {}, submit) }),
      },
      ...prepared,
    })
  },
})
