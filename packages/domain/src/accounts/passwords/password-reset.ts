import { type Timestamp, toTimestamp } from '../../clock.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Secrets } from '../../secrets.ts'
import { linkTo } from '../mail/mail-settings.ts'
import type { Mail } from '../mail/mailer.ts'
import type { User } from '../users/user.ts'

const minuteMs = 60_000

/** What a code says of itself: whose password it sets, and until when, in milliseconds since 1970. */
export interface ResetClaim {
  readonly userId: string
  readonly expiresMs: number
}

/**
 * A code that sets a new password of the user. It is kept nowhere: it is signed together with the password and the
 * address that the user has, so that it is good for nothing once either has changed, by itself too.
 */
export function toResetCode(secrets: Secrets, user: User, now: Timestamp): string {
  const claim = {
    userId: user.id,
    expiresMs: Date.parse(now) + limits.passwordResetMinutes * minuteMs,
  }
  return `${claim.userId}.${claim.expiresMs}.${signatureOf(secrets, user, claim)}`
}

/** What a code claims; undefined for what can't be one. */
export function readResetCode(code: string): (ResetClaim & { readonly code: string }) | undefined {
  const [, userId, expires] = /^([0-9A-Za-z_.-]{1,100})\.(\d{1,15})\.[0-9a-f]{64}$/.exec(code) ?? []
  return userId === undefined ? undefined : { userId, expiresMs: Number(expires), code }
}

/** Refuses a code that is not, or no longer, one of the user's; `invalid_captcha`, which says no more than that. */
export function requireResetCode(
  secrets: Secrets,
  user: User | undefined,
  claim: ReturnType<typeof readResetCode>,
  now: Timestamp,
): asserts user is User {
  if (user && claim && now < toTimestamp(claim.expiresMs)) {
    const right = `${claim.userId}.${claim.expiresMs}.${signatureOf(secrets, user, claim)}`
    if (user.id === claim.userId && secrets.equal(right, claim.code)) return
  }
  throw new DomainError(
    'invalid_captcha',
    'The code for a new password is wrong or no longer valid: ask for a new mail',
  )
}

function signatureOf(secrets: Secrets, { email, passwordHash }: User, claim: ResetClaim): string {
  const { userId, expiresMs } = claim
  return secrets.sign(JSON.stringify(['password reset', userId, expiresMs, email, passwordHash]))
}

/** The mail to somebody who forgot their password. */
export function toResetMail(to: string, code: string, publicUrl: string | undefined): Mail {
  const link = publicUrl === undefined ? [] : [linkTo(publicUrl, `reset-password=${code}`), '']
  return {
    to,
    subject: 'A new password',
    text: [
      `Somebody, perhaps you, asked for a new password of the account with this address (${to}).`,
      `Set it within ${limits.passwordResetMinutes} minutes with this code:`,
      '',
      code,
      '',
      ...link,
      'If it was not you, ignore this mail: the password stays as it is. Do not pass it on.',
      '',
    ].join('\n'),
  }
}
