import { later, type Timestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import type { Ports } from '../ports.ts'
import { fromSigned, toSigned } from '../secrets.ts'
import type { Voucher } from './identity.ts'

const prefix = 'sign-in.'
const minuteMs = 60_000

/** A sign-in that has begun: what its end has to know of its beginning. The browser keeps it, signed. */
export interface SignInFlow extends Voucher {
  /** Tells it from all others. */
  readonly token: string
  /** The provider's, as it was then. */
  readonly providerVersion: number
  /** The path of our site that it leads to. */
  readonly redirect: string
  readonly inviteCode?: string | undefined
  /** Whose account the identity is to be linked to, and in which session that was asked for. */
  readonly linking?:
    | { readonly userId: string; readonly sessionId?: string | undefined }
    | undefined
  readonly expiresTime: Timestamp
}

/** Begins a sign-in. */
export function newFlow(
  secrets: Pick<Ports['secrets'], 'token'>,
  now: Timestamp,
  flow: Omit<SignInFlow, 'token' | 'expiresTime'>,
): SignInFlow {
  const expiresTime = later(now, limits.signInFlowMinutes * minuteMs)
  return { ...flow, token: secrets.token(), expiresTime }
}

/** The flow as a text that fits a cookie, and that nobody else can make. */
export function toFlowText(secrets: Pick<Ports['secrets'], 'sign'>, flow: SignInFlow): string {
  return toSigned(secrets, prefix + encodeURIComponent(JSON.stringify(flow)))
}

/** The flow that the text stands for; undefined for one that ended, or that we did not make. */
export function fromFlowText(
  secrets: Pick<Ports['secrets'], 'sign' | 'equal'>,
  text: string,
  now: Timestamp,
): SignInFlow | undefined {
  const said = fromSigned(secrets, text)
  if (!said?.startsWith(prefix)) return undefined
  const flow: SignInFlow = JSON.parse(decodeURIComponent(said.slice(prefix.length)))
  return flow.expiresTime > now ? flow : undefined
}

/**
 * What ties the provider's answer to the flow. They follow from the flow and the instance key, so that who reads the flow has
 * none of them.
 */
export function tiesOf(secrets: Pick<Ports['secrets'], 'sign'>, { token }: SignInFlow) {
  // No text that a flow could be made of: what is signed for one use is good for no other.
  const tie = (name: string) => secrets.sign(JSON.stringify(['sign-in tie', name, token]))
  return { state: tie('state'), nonce: tie('nonce'), verifier: tie('verifier') }
}
