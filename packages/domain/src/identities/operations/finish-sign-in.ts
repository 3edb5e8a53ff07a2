import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { openSession } from '../../accounts/sessions/open-session.ts'
import { later } from '../../clock.ts'
import { DomainError, invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import type { LoginProvider } from '../../login-providers/login-provider.ts'
import type { Ports } from '../../ports.ts'
import type { ReadTx, WriteTx } from '../../store.ts'
import { type CallContext, defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import type { OpenIdClaims } from '../open-id-client.ts'
import { connectionOf, questionOf, requirePublicUrl } from '../provider-connection.ts'
import { fromFlowText, type SignInFlow, tiesOf } from '../sign-in-flow.ts'
import { toSiteUrl } from '../site-path.ts'
import { isTrusted, verifiedEmailOf } from '../trusted-claims.ts'
import { findForSignIn } from './begin-flow.ts'
import type { NewIdentity } from './keep-identity.ts'
import { linkByAddress } from './link-by-address.ts'
import { linkIdentity } from './link-identity.ts'
import { openAccount } from './open-account.ts'

const text = textUpTo(limits.shortTextLength)
const minuteMs = 60_000

/**
 * Ends a sign-in by a login provider, with what the browser brought back from there: whoever has the identity is signed in, who has no
 * account gets one where sign-up lets them, and who began by linking has the identity linked.
 */
export const finishSignIn = defineWrite({
  summary: 'Finish signing in by a login provider',
  input: z.object({
    providerId: idSchema.describe('The login provider'),
    flow: textUpTo(limits.signInFlowLength)
      .optional()
      .describe('What the beginning answered; a cookie that says it wins'),
    state: text.describe('As the provider sent it back'),
    code: text.optional().describe('As the provider sent it back'),
    iss: text.optional().describe('As the provider sent it back'),
    error: text.optional().describe('Why the provider signed nobody in'),
  }),
  output: z.object({
    redirect: z.string().describe('Where the browser goes now'),
    accessToken: z
      .string()
      .optional()
      .describe('Stands for the session that was opened; left out where an identity was linked'),
  }),
  answers: 'secret',
  access: anyone(),
  needs: ['secrets', 'settings', 'mail', 'openIdClient', 'signUpPolicy'],
  prepare: async (context, input) => {
    const { secrets, store, openIdClient } = context
    const flow = requireFlow(context, input)
    const provider = await store.write(async (tx) => {
      await useUp(tx, context, flow)
      return findUnchanged(tx, flow)
    })
    const answer = requireCode(input)
    const question = questionOf(context, flow)
    const connection = connectionOf(secrets, provider)
    try {
      const claims = await openIdClient.identify(connection, question, answer)
      return { flow, claims: requireSubject(claims) }
    } catch (error) {
      const wasAsked = !(error instanceof DomainError && error.code === 'service_busy')
      if (!wasAsked) await store.write((tx) => tx.attempts.clear(useOf(secrets, flow)))
      throw error
    }
  },
  run: async (context) => {
    const { tx, settings } = context
    const { flow, claims } = context.prepared
    const { providerId, authority } = flow
    const voucher = { providerId, authority, subject: claims.subject }
    // Held from here on, so that what is linked to it goes with it. Of two who bring an identity that nobody has, the second finds it.
    const isKnown = (await tx.identities.find(voucher)) !== undefined
    await tx.loginProviders.find(providerId, isKnown ? 'share' : 'update')
    const provider = await findUnchanged(tx, flow)
    const named = { ...voucher, spaceId: provider.spaceId }
    const found = await findHeld(tx, named)
    const redirect = toSiteUrl(requirePublicUrl(settings), flow.redirect)
    if (flow.linking) {
      await linkIdentity(context, named, flow.linking, found)
      return { redirect }
    }
    const userId = found?.userId ?? (await findOrOpenAccount(context, provider, named))
    return { redirect, accessToken: await openSession(context, userId) }
  },
})

/**
 * The identity, with its user held: a password that is set by a mailed code at the same time ends sessions that are opened here, or
 * has ended the identity.
 */
async function findHeld(tx: WriteTx, named: Parameters<WriteTx['identities']['find']>[0]) {
  const found = await tx.identities.find(named)
  if (!found) return undefined
  await tx.users.find(found.userId, 'share')
  return tx.identities.find(named)
}

type Prepared = { readonly flow: SignInFlow; readonly claims: OpenIdClaims }

/** The account of somebody whose identity nobody has: the one that they have where a trusted client tells whose it is, or a new one. */
async function findOrOpenAccount(
  context: Parameters<typeof linkByAddress>[0] &
    Parameters<typeof openAccount>[0] &
    Pick<Ports, 'settings'> & { readonly prepared: Prepared },
  provider: LoginProvider,
  named: NewIdentity,
): Promise<string> {
  const { flow, claims } = context.prepared
  const email = verifiedEmailOf(claims)
  const isProven = isTrusted(context.settings, provider, claims)
  const known = isProven && email && (await linkByAddress(context, named, email))
  if (known) return known
  const { inviteCode } = flow
  return openAccount(context, named, { email, isProven, name: claims.name, inviteCode })
}

type Context = CallContext & Pick<Ports, 'secrets'>

/** The flow that the caller began, in which the provider was given the state. */
function requireFlow(
  { secrets, now }: Context,
  {
    flow: sent,
    state,
    providerId,
  }: { flow?: string | undefined; state: string; providerId: string },
): SignInFlow {
  const flow = sent === undefined ? undefined : fromFlowText(secrets, sent, now)
  if (!flow) {
    const minutes = `${limits.signInFlowMinutes} minutes ago at most`
    throw invalidAt(
      ['flow'],
      `must be of a sign-in that this browser began, ${minutes}: begin again`,
    )
  }
  const isOfFlow = secrets.equal(state, tiesOf(secrets, flow).state)
  if (isOfFlow && flow.providerId === providerId) return flow
  throw invalidAt(
    ['state'],
    'must be that of the sign-in that this browser began last: begin again',
  )
}

/** What counts the uses of a flow. */
function useOf(secrets: Pick<Ports['secrets'], 'digest'>, { token }: SignInFlow): string {
  return `sign-in-flow:${secrets.digest(token)}`
}

/** A flow leads to an end once, whatever that is. */
async function useUp(tx: WriteTx, { secrets, now }: Context, flow: SignInFlow): Promise<void> {
  const until = later(now, limits.signInFlowMinutes * minuteMs)
  const farthest = later(now, 2 * limits.signInFlowMinutes * minuteMs)
  const limit = { most: 1, now, until, farthest }
  if ((await tx.attempts.reserve(useOf(secrets, flow), limit)) === undefined) return
  throw invalidAt(['state'], 'must be used once: it was used before, so begin again')
}

/**
 * The provider, as it was when the sign-in began. One that was changed and changed back is another: meanwhile it could have led
 * somebody else to answer the question of this sign-in.
 */
async function findUnchanged(
  tx: ReadTx,
  { providerId, providerVersion }: SignInFlow,
): Promise<LoginProvider> {
  const provider = await findForSignIn(tx, providerId)
  if (provider.version === providerVersion) return provider
  throw new DomainError('conflict', 'The login provider was changed meanwhile: begin again')
}

function requireCode({
  code,
  iss,
  error,
}: {
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}) {
  if (error !== undefined) {
    const reason = /^[a-z_]{1,64}$/.test(error) ? error : 'without a reason'
    throw new DomainError(
      'restricted_resource',
      `The login provider did not sign you in: ${reason}`,
    )
  }
  if (code === undefined) throw invalidAt(['code'], 'must be the code that the provider sent back')
  return { code, iss }
}

/** Nothing is looked up, or kept, by a name that is too long, or that no storage can hold. */
function requireSubject<Claims extends { readonly subject: string }>(claims: Claims): Claims {
  const { subject } = claims
  const isName = subject.length <= limits.subjectLength && /^[\x20-\x7e]+$/.test(subject)
  if (isName) return claims
  throw new DomainError(
    'failed_dependency',
    `The login provider named nobody: a name has ${limits.subjectLength} characters of ASCII at most`,
  )
}
