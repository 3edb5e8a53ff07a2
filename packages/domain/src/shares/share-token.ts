import type { ShareActor } from '../access/actor.ts'
import { isInLife } from '../accounts/sessions/is-in-life.ts'
import { type Timestamp, toTimestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import type { Ports } from '../ports.ts'
import { fromSigned, toSigned } from '../secrets.ts'

/** What the token of a share tells: which share, and which of its passwords was given. */
type Proven = NonNullable<ShareActor['proven']>

const prefix = 'share.'
const hourMs = 3_600_000

/** Whether the text has the form of a token of a share; that of a session or an access token has no dot. */
export function isShareToken(text: string): boolean {
  return text.startsWith(prefix)
}

/**
 * A token for who gave the password of a share: signed, for that share and that password alone, for
 * `limits.shareTokenHours`.
 */
export function toShareToken(
  { secrets }: Pick<Ports, 'secrets'>,
  { shareId, passwordTag }: Proven,
  now: Timestamp,
): string {
  const expires = Date.parse(now) + limits.shareTokenHours * hourMs
  return toSigned(secrets, `${prefix}${shareId}.${passwordTag}.${expires}`)
}

/** The visitor whom a token stands for; undefined for one that expired, or that we did not make. */
export function fromShareToken(
  { secrets, clock }: Pick<Ports, 'secrets' | 'clock'>,
  token: string,
): ShareActor | undefined {
  if (fromSigned(secrets, token) === undefined) return undefined
  const { expires, ...proven } = provenBy(token)
  const lifeMs = limits.shareTokenHours * hourMs
  if (!isInLife(toTimestamp(expires), lifeMs, toTimestamp(clock.now()))) return undefined
  return { kind: 'share', proven }
}

/** What a token says, which we made. */
export function provenBy(token: string): Proven & { readonly expires: number } {
  const [, shareId = '', passwordTag = '', expires] = token.split('.')
  return { shareId, passwordTag, expires: Number(expires) }
}
