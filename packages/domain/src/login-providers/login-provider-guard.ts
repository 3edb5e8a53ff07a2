import type { Guard } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import { notFound } from '../errors.ts'
import { onSpace, type SpaceScope } from '../spaces/space-guard.ts'
import type { LoginProvider } from './login-provider.ts'

/** What a guard has found of the provider that a call names. */
export interface LoginProviderScope extends SpaceScope {
  readonly provider: LoginProvider
}

/** Lets owners of the space pass, for a provider of that space. */
export function onLoginProvider(
  lock: Lock = 'none',
): Guard<{ spaceId: string; authenticationId: string }, LoginProviderScope> {
  const space = onSpace('space|update', lock)
  return {
    requirement: space.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await space.enter(tx, actor, input)
      const provider = await tx.loginProviders.find(input.authenticationId, lock)
      if (provider?.spaceId !== input.spaceId) {
        throw notFound('login provider', input.authenticationId)
      }
      return { scope: { ...scope, provider }, version: provider.version }
    },
  }
}
