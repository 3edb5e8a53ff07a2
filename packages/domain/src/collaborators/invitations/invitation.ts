import type { Role } from '../../access/roles.ts'
import type { Timestamp } from '../../clock.ts'
import type { CollaboratorPlace } from '../collaborator-repository.ts'

/** A role that waits for whoever a mail went to. The token is in that mail alone; a digest of it is kept. */
export interface Invitation extends CollaboratorPlace {
  readonly id: string
  readonly tokenHash: string
  /** In lower case; its owner alone may accept. */
  readonly email: string
  readonly role: Role
  /** Who invited: they must still be able to give the role when it is accepted. */
  readonly createdBy: string
  readonly createdTime: Timestamp
  readonly expiresTime: Timestamp
}
