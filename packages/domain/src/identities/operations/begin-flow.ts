import { z } from 'zod'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import type { LoginProvider } from '../../login-providers/login-provider.ts'
import type { Ports } from '../../ports.ts'
import type { ReadTx } from '../../store.ts'
import { authorityOf, connectionOf, isForSignIn, questionOf } from '../provider-connection.ts'
import { newFlow, type SignInFlow, toFlowText } from '../sign-in-flow.ts'
import { sitePathSchema } from '../site-path.ts'

/** What every sign-in by a provider begins with. */
export const flowInput = {
  providerId: idSchema.describe('The login provider'),
  redirect: sitePathSchema
    .default('/')
    .describe('The path of this site that the browser is sent to in the end'),
}

/** Where a sign-in goes on. */
export const begunOutput = z.object({
  url: z.string().describe('Where the browser is to go'),
  flow: z
    .string()
    .describe(
      'What the end of the sign-in takes, from the same caller; browsers have it as a cookie',
    ),
})

/** The provider by which somebody is to sign in; `not_found` where nobody can. */
export async function findForSignIn(tx: ReadTx, providerId: string): Promise<LoginProvider> {
  const provider = await tx.loginProviders.findOfLivingSpace(providerId)
  if (provider && isForSignIn(provider)) return provider
  throw notFound('login provider', providerId, undefined, 'it may have been removed')
}

type Needed = Pick<Ports, 'secrets' | 'settings' | 'openIdClient'> & { readonly now: string }

/** Begins a sign-in by the provider. Outside of transactions. */
export async function beginFlow(
  { secrets, settings, openIdClient, now }: Needed,
  provider: LoginProvider,
  rest: Pick<SignInFlow, 'redirect' | 'inviteCode' | 'linking'>,
): Promise<z.output<typeof begunOutput>> {
  const { id: providerId, version: providerVersion } = provider
  const of = { providerId, providerVersion, authority: authorityOf(secrets, provider) }
  const flow = newFlow(secrets, now, { ...of, ...rest })
  const question = questionOf({ secrets, settings }, flow)
  const url = await openIdClient.authorizationUrl(connectionOf(secrets, provider), question)
  return { url, flow: toFlowText(secrets, flow) }
}
