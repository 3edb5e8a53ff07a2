import type { Timestamp } from '../clock.ts'
import { DomainError } from '../errors.ts'

/** Where somebody came from when they signed up, as their browser told it. */
export interface RefMeta {
  readonly query?: string | undefined
  readonly referer?: string | undefined
}

/** A person with an account. */
export interface User {
  readonly id: string
  readonly name: string
  /** As given at sign-up, in lower case; unique. */
  readonly email: string
  /** Undefined for an account without a password. */
  readonly passwordHash: string | undefined
  readonly isAdmin: boolean
  readonly avatar: string | undefined
  readonly phone: string | undefined
  readonly lang: string | undefined
  /** Whether the user wants notices by mail. */
  readonly notifyByEmail: boolean
  readonly refMeta: RefMeta | undefined
  readonly createdTime: Timestamp
  readonly version: number
}

/** `conflict`, for an address that has an account. */
export function alreadyRegistered(email: string): DomainError {
  return new DomainError('conflict', `"${email}" is already registered: sign in instead`)
}
