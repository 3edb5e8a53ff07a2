import type { Lock } from '../access/lock.ts'
import type { LoginProvider } from './login-provider.ts'

/** Reads by which providers people sign in. */
export interface LoginProviderReader {
  /** The provider of the id; the lock is for transactions that write. */
  find(id: string, lock?: Lock): Promise<LoginProvider | undefined>
  /** The provider of the id, where its space is not in the trash. */
  findOfLivingSpace(id: string): Promise<LoginProvider | undefined>
  /** Those of the space, where that is not in the trash, oldest first, ties by id. */
  listOfLivingSpace(spaceId: string): Promise<readonly LoginProvider[]>
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
