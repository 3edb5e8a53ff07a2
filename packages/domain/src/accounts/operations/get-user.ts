import { z } from 'zod'
import { defineRead } from '../../use-case.ts'
import { onOwnAccount } from '../users/account-guard.ts'
import { shownContact } from '../users/shown-contact.ts'

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
  run: async (context) => {
    const { id, name } = context.user
    return { id, name, ...shownContact(context, context.user) }
  },
})
