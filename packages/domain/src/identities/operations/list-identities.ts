import { z } from 'zod'
import { anyone, signedIn } from '../../access/guard.ts'
import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { DomainError, notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineRead, defineWrite } from '../../use-case.ts'
import { identityOutput, type LinkedIdentity } from '../identity.ts'
import { isForSignIn, isUsable } from '../provider-connection.ts'

/** Lists by which providers people sign in on the login page of a space. An unknown space has none. */
export const listSignInProviders = defineRead({
  summary: 'List the login providers of a login page',
  input: z.object({ spaceId: idSchema.describe('The space whose people sign in') }),
  output: z.array(z.object({ id: z.string(), name: z.string(), type: z.literal('oidc') })),
  access: anyone(),
  run: async ({ tx }, { spaceId }) =>
    (await tx.loginProviders.listOfLivingSpace(spaceId))
      .filter(isForSignIn)
      .map(({ id, name }) => ({ id, name, type: 'oidc' as const })),
})

/** Lists the accounts elsewhere by which the caller signs in, oldest first. */
export const listIdentities = defineRead({
  summary: 'List the accounts elsewhere by which I sign in',
  input: z.object({}),
  output: z.array(identityOutput),
  access: signedIn({ sessionOnly: true }),
  needs: ['secrets'],
  run: async ({ tx, userId, secrets }) =>
    (await tx.identities.listOf(userId)).map((identity) => {
      const { id, providerId, provider, subject, createdTime } = identity
      const shown = { id, providerId, providerName: provider.name, subject, createdTime }
      return { ...shown, isUsable: isUsable(secrets, identity) }
    }),
})

/** Ends that the caller signs in by an account elsewhere, unless there would be no way left to sign in. */
export const unlinkIdentity = defineWrite({
  summary: 'Unlink an account elsewhere from mine',
  input: z.object({ identityId: idSchema }),
  output: noOutput,
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['secrets'],
  run: async ({ tx, user, secrets }, { identityId }) => {
    const linked = await tx.identities.listOf(user.id)
    if (!linked.some(({ id }) => id === identityId)) throw notFound('identity', identityId)
    const others = linked.filter(({ id }) => id !== identityId)
    const isWayIn = (identity: LinkedIdentity) => isUsable(secrets, identity)
    if (user.passwordHash === undefined && !others.some(isWayIn)) {
      const message = 'You sign in by this identity alone: link another one before you unlink it'
      throw new DomainError('restricted_resource', message)
    }
    await tx.identities.delete(identityId)
  },
})
