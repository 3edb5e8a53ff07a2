import type { Role } from '../access/roles.ts'
import type { Collaborator } from './collaborator.ts'

/** The space or base that somebody collaborates in. */
export type CollaboratorPlace = Pick<Collaborator, 'resourceType' | 'resourceId'>

/** A collaborator with what their account shows. */
export interface CollaboratorWithUser extends Collaborator {
  readonly userName: string
  readonly email: string
  readonly avatar: string | undefined
}

/** Reads who has which role. */
export interface CollaboratorReader {
  find(place: CollaboratorPlace, userId: string): Promise<Collaborator | undefined>
  /** How many have the role there. */
  countRole(place: CollaboratorPlace, role: Role): Promise<number>
  /**
   * Those of the users who have a role of their own in so many living spaces, or bases, or more, that they did
   * not create; in no order. A base in a deleted space isn't living.
   */
  usersInPlacesOfOthers(
    type: CollaboratorPlace['resourceType'],
    userIds: readonly string[],
    atLeast: number,
  ): Promise<readonly string[]>
  /** Those of all the places, oldest first, ties by user and place. */
  list(places: readonly CollaboratorPlace[]): Promise<readonly CollaboratorWithUser[]>
}

/** Keeps who has which role. */
export interface CollaboratorRepository extends CollaboratorReader {
  /** Adds a collaborator; `conflict` when the user is one there already. */
  insert(collaborator: Collaborator): Promise<void>
  /** Adds one or more; `conflict` when one of the users is a collaborator there already. */
  insertAll(collaborators: readonly Collaborator[]): Promise<void>
  /** Waits until nobody else counts the people of the space, and keeps others from it until the transaction ends. */
  holdCount(spaceId: string): Promise<void>
  changeRole(place: CollaboratorPlace, userId: string, role: Role): Promise<void>
  delete(place: CollaboratorPlace, userId: string): Promise<void>
  /** Takes all their roles from a user whose account ends. Where they had them is remembered. */
  deleteOfUser(userId: string): Promise<void>
  /** Forgets that, too. */
  forgetPlacesOf(userId: string): Promise<void>
}
