import type { Role } from '../access/roles.ts'
import type { Base } from './base.ts'

/** A base, and where a user stands to it. */
export interface BaseAccess {
  readonly base: Base
  /** The stronger of the user's roles in the base and in its space. */
  readonly role: Role | undefined
}
