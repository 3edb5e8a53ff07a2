import type { Role } from '../access/roles.ts'
import type { Timestamp } from '../clock.ts'
import type { CollaboratorPlace } from '../collaborators/collaborator-repository.ts'
import type { InvitationLink } from './invitation-link.ts'

/** Reads the links by which people are invited. */
export interface InvitationLinkReader {
  /** Those of the place that have not expired, and whose maker's account is there, oldest first, ties by id. */
  listOpen(place: CollaboratorPlace, now: Timestamp): Promise<readonly InvitationLink[]>
}

/** Keeps them. */
export interface InvitationLinkRepository extends InvitationLinkReader {
  /** Finds one, expired or not. */
  find(id: string): Promise<InvitationLink | undefined>
  insert(link: InvitationLink): Promise<void>
  /** Gives it another role. Returns whether it is there. */
  changeRole(id: string, role: Role): Promise<boolean>
  /** Counts one more who joined in the role. Returns whether it is there, and gives that role. */
  countJoining(id: string, role: Role): Promise<boolean>
  /** Forgets one. Returns whether it was there. */
  delete(id: string): Promise<boolean>
  /** Forgets all to a place; of a space, those to its bases, too. */
  deleteOf(place: CollaboratorPlace): Promise<void>
  /** Forgets at most `most` that expired before the time. Returns how many. */
  deleteExpired(before: Timestamp, most: number): Promise<number>
}
