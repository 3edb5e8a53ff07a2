import type { User } from './user.ts'

/** The domain of addresses that stand for none: no mail ever gets there, and nobody signs up with one. */
const domain = '@user.invalid'

/** Stands for the address of a user without one, since every user has one of their own. */
export function noAddress(userId: string): string {
  return `${userId.toLowerCase()}${domain}`
}

/** Whether the user has an address, or an address is one. */
export function hasAddress({ email }: Pick<User, 'email'>): boolean {
  return !email.endsWith(domain)
}
