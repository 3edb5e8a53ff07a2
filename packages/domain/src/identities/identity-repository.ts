import type { Identity, LinkedIdentity, Voucher } from './identity.ts'

/** Reads by which accounts elsewhere people sign in. */
export interface IdentityReader {
  /** Who the voucher calls by the name. */
  find(named: Voucher & { readonly subject: string }): Promise<Identity | undefined>
  /** Those of the user whose providers are there, oldest first, ties by id. */
  listOf(userId: string): Promise<readonly LinkedIdentity[]>
}

/** Keeps them. */
export interface IdentityRepository extends IdentityReader {
  /** Adds one; `conflict` where somebody has it. */
  insert(identity: Identity): Promise<void>
  delete(id: string): Promise<void>
  deleteOfUser(userId: string): Promise<void>
  deleteOfProvider(providerId: string): Promise<void>
}
