import type { Role } from '../access/roles.ts'
import type { Timestamp } from '../clock.ts'
import type { CollaboratorPlace } from '../collaborators/collaborator-repository.ts'

/** A role that waits for whoever has the link. */
export interface InvitationLink extends CollaboratorPlace {
  readonly id: string
  readonly role: Role
  /** Who made it: they must still be able to give the role when it is accepted. */
  readonly createdBy: string
  readonly createdTime: Timestamp
  readonly expiresTime: Timestamp
  /** How many have joined by it. */
  readonly joined: number
}
