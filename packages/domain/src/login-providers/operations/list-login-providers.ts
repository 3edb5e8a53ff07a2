import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { onSpace } from '../../spaces/space-guard.ts'
import { defineRead, defineWrite } from '../../use-case.ts'
import { loginProviderOutput } from '../login-provider.ts'
import { onLoginProvider } from '../login-provider-guard.ts'
import { toLoginProviderOutput } from '../provider-input.ts'

const ofOne = z.object({
  spaceId: idSchema,
  authenticationId: idSchema.describe('The id of the provider'),
})

/** Lists the login providers of a space for its owners, oldest first, their secrets masked. */
export const listLoginProviders = defineRead({
  summary: 'List the login providers of a space',
  input: z.object({ spaceId: idSchema }),
  output: z.array(loginProviderOutput),
  access: onSpace('space|update'),
  run: async ({ tx, space }) =>
    (await tx.loginProviders.listOf(space.id)).map((provider) => {
      const { version: _, ...shown } = toLoginProviderOutput(provider)
      return shown
    }),
})

/** Answers one login provider, its secret masked. */
export const getLoginProvider = defineRead({
  summary: 'Get a login provider of a space',
  input: ofOne,
  output: loginProviderOutput,
  access: onLoginProvider(),
  run: async ({ provider }) => toLoginProviderOutput(provider),
})

/** Removes a login provider with its secret, for good. */
export const deleteLoginProvider = defineWrite({
  summary: 'Remove a login provider from a space',
  input: ofOne,
  output: noOutput,
  access: onLoginProvider('update'),
  run: async ({ tx, space, provider, userId, now }) => {
    await tx.loginProviders.delete(provider.id)
    await tx.identities.deleteOfProvider(provider.id)
    tx.emit({ name: 'space.updated', time: now, userId, payload: { spaceId: space.id } })
  },
})
