import { later, type Timestamp } from '../../clock.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Ports } from '../../ports.ts'
import type { WriteTx } from '../../store.ts'
import type { Origin } from '../../use-case.ts'
import { toAddressBlock } from '../../values/address-block.ts'
import { inSeconds } from '../../values/in-seconds.ts'

const minuteMs = 60_000

/** Who tries: the account or mail box that an e-mail address names, and where the call came from. */
export interface Trier extends Pick<Ports, 'secrets'> {
  readonly tx: WriteTx
  readonly now: Timestamp
  readonly origin: Origin
  readonly email: string
}

/**
 * Counts a guess at a password before it is looked at, so that guesses made at the same time can't pass
 * the limit. `too_many_requests` when there were too many of the account or from the address.
 */
export function reserveGuess(trier: Trier): Promise<void> {
  return reserveTry(trier, 'sign-in', {
    ofAccount: limits.signInFailuresPerAccount,
    fromAddress: limits.signInFailuresPerAddress,
    minutes: limits.signInLockMinutes,
  })
}

/** The guess was right: forgets those of the account, and takes this one back from the address. */
export async function forgiveGuess({ tx, ...trier }: Trier): Promise<void> {
  const { account, address } = subjectsOf('sign-in', trier)
  if (address) await tx.attempts.release(address)
  await tx.attempts.clear(account)
}

/** Forgets the guesses at the password of an account, which has a new one. */
export async function clearGuesses({
  tx,
  ...trier
}: Pick<Trier, 'tx' | 'secrets' | 'email'>): Promise<void> {
  await tx.attempts.clear(subjectsOf('sign-in', { ...trier, origin: {} }).account)
}

/** The guess was not looked at: takes it back from the account and the address. */
export async function takeGuessBack({ tx, ...trier }: Trier): Promise<void> {
  const { account, address } = subjectsOf('sign-in', trier)
  if (address) await tx.attempts.release(address)
  await tx.attempts.release(account)
}

/** Counts a mail before it is sent; `too_many_requests` when there were too many to or from there. */
export function reserveMail(trier: Trier): Promise<void> {
  return reserveTry(trier, 'mail', {
    ofAccount: limits.mailsPerEmail,
    fromAddress: limits.mailsPerAddress,
    minutes: limits.mailedCodeMinutes,
  })
}

async function reserveTry(
  trier: Trier,
  what: 'sign-in' | 'mail',
  most: { readonly ofAccount: number; readonly fromAddress: number; readonly minutes: number },
): Promise<void> {
  const { minutes } = most
  const { account, address } = subjectsOf(what, trier)
  if (address) await reserve(trier, address, { most: most.fromAddress, minutes })
  await reserve(trier, account, { most: most.ofAccount, minutes })
}

function subjectsOf(
  what: 'sign-in' | 'mail',
  { secrets, origin, email }: Omit<Trier, 'tx' | 'now'>,
) {
  const { address } = origin
  return {
    account: `${what}:${secrets.digest(email)}`,
    address: address && `${what}-from:${toAddressBlock(address)}`,
  }
}

/**
 * Counts a guess at what a program proves itself with, by the address that it came from, before it is looked at;
 * `too_many_requests` when there were too many. What it returns takes the guess back, which was none.
 */
export async function reserveProof({
  tx,
  now,
  origin: { address },
}: Pick<Trier, 'tx' | 'now' | 'origin'>): Promise<() => Promise<void>> {
  const subject = `program-from:${address === undefined ? 'unknown' : toAddressBlock(address)}`
  const most = limits.signInFailuresPerAddress
  await reserve({ tx, now }, subject, { most, minutes: limits.signInLockMinutes })
  return () => tx.attempts.release(subject)
}

/** Counts one try of a subject for so many minutes; `too_many_requests` when there were too many. */
export async function reserve(
  { tx, now }: Pick<Trier, 'tx' | 'now'>,
  subject: string,
  { most, minutes }: { readonly most: number; readonly minutes: number },
): Promise<void> {
  const lockedUntil = await tx.attempts.reserve(subject, {
    most,
    now,
    until: later(now, minutes * minuteMs),
    // Clocks of several servers differ by less: a lock that one set counts for all.
    farthest: later(now, 2 * minutes * minuteMs),
  })
  if (lockedUntil === undefined) return
  const milliseconds = Date.parse(lockedUntil) - Date.parse(now)
  const retryAfterSeconds = Math.max(1, Math.ceil(milliseconds / 1_000))
  throw new DomainError(
    'too_many_requests',
    `Too many attempts: try again in ${inSeconds(retryAfterSeconds)}`,
    { retryAfterSeconds },
  )
}
