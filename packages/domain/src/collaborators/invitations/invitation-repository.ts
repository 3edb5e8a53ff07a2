import type { Timestamp } from '../../clock.ts'
import type { CollaboratorPlace } from '../collaborator-repository.ts'
import type { Invitation } from './invitation.ts'

/** Reads invitations. */
export interface InvitationReader {
  /** The invitations to the place that have not expired, and whose maker's account is there, oldest first, ties by id. */
  listOpen(place: CollaboratorPlace, now: Timestamp): Promise<readonly Invitation[]>
}

/** Keeps the invitations that were mailed. */
export interface InvitationRepository extends InvitationReader {
  /** Keeps invitations, each in place of one that the address had to the same place. */
  replaceAll(invitations: readonly Invitation[]): Promise<void>
  /** Finds by the digest of the token, expired ones too. */
  find(tokenHash: string): Promise<Invitation | undefined>
  /** How many of the place `listOpen` would have, those to the given addresses left out. */
  countOpen(place: CollaboratorPlace, now: Timestamp, leftOut: readonly string[]): Promise<number>
  /** Forgets one. Returns whether it was there: of calls at the same time, for one of them. */
  delete(tokenHash: string): Promise<boolean>
  /** Forgets all to a place; of a space, those to its bases, too. */
  deleteOf(place: CollaboratorPlace): Promise<void>
  /** Forgets at most `most` that expired before the time. Returns how many. */
  deleteExpired(before: Timestamp, most: number): Promise<number>
}
