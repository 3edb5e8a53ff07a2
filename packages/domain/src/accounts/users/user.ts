import type { Timestamp } from '../../clock.ts'
import { DomainError } from '../../errors.ts'

/** Where somebody came from when they signed up, as their browser told it. */
interface RefMeta {
  readonly query?: string | undefined
  readonly referer?: string | undefined
}

/** A person with an account. */
export interface User {
  readonly id: string
  readonly name: string
  /** As given at sign-up, in lower case; unique. */
  readonly email: string
  /** Whether a mailed code has shown that the address is theirs, or a login provider that the operator trusts. */
  readonly isEmailVerified: boolean
  /** Undefined for an account without a password. */
  readonly passwordHash: string | undefined
  readonly isAdmin: boolean
  /** A picture of initials as a data URL, or the id of one that the user has uploaded. */
  readonly avatar: string | undefined
  readonly phone: string | undefined
  readonly lang: string | undefined
  /**
   * Whether they signed up themselves, so that they may set a password by a mail. False for a user of an embedding program, which
   * alone says who they are.
   */
  readonly signsIn: boolean
  /** Whether the user wants notices by mail. */
  readonly notifyByEmail: boolean
  readonly refMeta: RefMeta | undefined
  readonly createdTime: Timestamp
  /** Since when the account is gone: what they made names them still, and nobody is them any more. */
  readonly deletedTime: Timestamp | undefined
  readonly version: number
}

/** What those are called whose account is gone. */
export const deletedUserName = 'Deleted user'

/** `conflict`, for an address that has an account; the advice says what to do instead. */
export function alreadyRegistered(email: string, advice: string): DomainError {
  return new DomainError('conflict', `"${email}" is already registered: ${advice}`)
}
