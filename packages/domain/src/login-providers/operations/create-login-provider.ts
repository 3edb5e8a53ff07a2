import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { onSpace } from '../../spaces/space-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { type LoginProvider, loginProviderOutput } from '../login-provider.ts'
import { providerShapes, toKeptConfig, toLoginProviderOutput } from '../provider-input.ts'

/** Adds a service by which people of the space sign in. Its secret is sealed, and shown to nobody again. */
export const createLoginProvider = defineWrite({
  summary: 'Add a login provider to a space',
  input: z.discriminatedUnion('type', [
    providerShapes.feishu.omit({ id: true }),
    providerShapes.oidc.omit({ id: true }),
  ]),
  output: loginProviderOutput,
  access: onSpace('space|update', 'update'),
  needs: ['secrets'],
  run: async ({ tx, space, userId, now, ids, plans, secrets }, sent) => {
    plans.requireOn(space.id, 'authenticationEnable')
    const { length } = await tx.loginProviders.listOf(space.id)
    if (length >= limits.loginProvidersPerSpace) {
      const message = `A space has ${limits.loginProvidersPerSpace} login providers at most: delete one first`
      throw new DomainError('restricted_resource', message)
    }
    const id = ids.next('loginProvider')
    const provider: LoginProvider = {
      ...{ id, spaceId: space.id, name: sent.name, ...toKeptConfig(secrets, id, sent) },
      ...{ createdBy: userId, createdTime: now, version: 1 },
    }
    await tx.loginProviders.insert(provider)
    tx.emit({ name: 'space.updated', time: now, userId, payload: { spaceId: space.id } })
    return toLoginProviderOutput(provider)
  },
})
