import type { Lock } from '../access/lock.ts'
import type { LoginProvider } from './login-provider.ts'

/** Reads by which providers people sign in. */
export interface LoginProviderReader {
  /** The provider of the id; the lock is for transactions that write. */
  find(id: string, lock?: Lock): Promise<LoginProvider | undefined>
  /** Those of the space, oldest first, ties by id. */
  listOf(spaceId: string): Promise<readonly LoginProvider[]>
}

/** Keeps them. */
export interface LoginProviderRepository extends LoginProviderReader {
  insert(provider: LoginProvider): Promise<void>
  /** Replaces type, name and configuration, and the version. */
  update(provider: LoginProvider): Promise<void>
  delete(id: string): Promise<void>
}
