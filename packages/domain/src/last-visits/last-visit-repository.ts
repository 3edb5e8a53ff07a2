import type { LastVisit } from './last-visit.ts'

/** Reads what users opened last. */
export interface LastVisitReader {
  /** Those of the user in the parent, one for each type, the latest first, ties by type. */
  listOf(userId: string, parentId: string): Promise<readonly LastVisit[]>
}

/** Keeps it. What is removed for good is forgotten, with what lies in it. */
export interface LastVisitRepository extends LastVisitReader {
  /** Keeps the visit in place of the one of its user, parent and type. */
  note(visit: LastVisit): Promise<void>
  /** Forgets the oldest ones of the user beyond the number. */
  deleteOldest(userId: string, kept: number): Promise<void>
  /** Forgets all of the user. */
  deleteOfUser(userId: string): Promise<void>
}
