import type { User } from './user.ts'

/** The domain of addresses that stand for none: no mail ever gets there, and nobody signs up with one. */
const domain = '@user.invalid'

/**
 * Stands for the address of a user without one, since every user has one of their own. Addresses are in lower case, and ids
 * may differ in capital letters alone: a sign that no id has tells of each.
 */
export function noAddress(userId: string): string {
  return userId.replace(/[A-Z]/g, (letter) => `+${letter.toLowerCase()}`) + domain
}

/** Whether the user has an address, or an address is one. */
export function hasAddress({ email }: Pick<User, 'email'>): boolean {
  return !email.endsWith(domain)
}
