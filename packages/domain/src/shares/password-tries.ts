import { reserve, type Trier } from '../accounts/attempts/try-limits.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'
import { toAddressBlock } from '../values/address-block.ts'

/** A guess at the password of a share, and where it came from. */
type ShareGuess = Pick<Trier, 'now' | 'origin'> & { readonly shareId: string }

/**
 * Counts a guess before it is looked at, so that guesses made at the same time can't pass the limit.
 * `too_many_requests` when there were too many at the share, or from the address.
 */
export async function reserveShareGuess(tx: WriteTx, guess: ShareGuess): Promise<void> {
  const minutes = limits.signInLockMinutes
  for (const { subject, most } of subjectsOf(guess)) {
    await reserve({ tx, now: guess.now }, subject, { most, minutes })
  }
}

/** The guess was right, or wasn't looked at: takes it back. Those of others still count. */
export async function takeShareGuessBack(tx: WriteTx, guess: ShareGuess): Promise<void> {
  for (const { subject } of subjectsOf(guess)) await tx.attempts.release(subject)
}

function subjectsOf({ shareId, origin: { address } }: ShareGuess) {
  const from = address === undefined ? 'unknown' : toAddressBlock(address)
  return [
    { subject: `share-from:${from}`, most: limits.shareFailuresPerAddress },
    { subject: `share:${shareId}`, most: limits.shareFailuresPerShare },
  ]
}
