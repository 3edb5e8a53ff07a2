import { z } from 'zod'
import { hasScope } from '../../access/actor.ts'
import { defineRead } from '../../use-case.ts'
import { onOwnAccount } from '../account-guard.ts'
import { shownPicture } from '../shown-picture.ts'

/** Answers who the caller is, in as few words as an app needs that was given a token. */
export const getUser = defineRead({
  summary: 'Find out who I am',
  input: z.object({}),
  output: z.object({
    id: z.string(),
    name: z.string(),
    avatar: z.string().optional(),
    email: z.string().optional(),
  }),
  access: onOwnAccount({ sessionOnly: false }),
  run: async ({ actor, publicUrl, user: { id, name, avatar, email } }) => ({
    id,
    name,
    ...shownPicture({ publicUrl }, { avatar }),
    ...(hasScope(actor, 'user|email_read') && { email }),
  }),
})
