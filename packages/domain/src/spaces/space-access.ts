import type { Role } from '../access/roles.ts'
import type { Space } from './space.ts'

/** A space, and where a user stands to it. */
export interface SpaceAccess {
  readonly space: Space
  /** The user's role in the space, undefined for a stranger. */
  readonly role: Role | undefined
}
