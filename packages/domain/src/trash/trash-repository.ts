import type { Timestamp } from '../clock.ts'
import type { Deletion } from './deletion.ts'
import type { TrashEntry, TrashedType, TrashPosition } from './trash-entry.ts'

/** Which entries are asked for: so many at most that follow a position, newest first. */
export interface TrashPage {
  readonly after?: TrashPosition | undefined
  readonly take: number
}

/** Whose trash is listed: the spaces and bases in which a user has the role, kept to a reach if there is one. */
export interface TrashedPlaces {
  readonly userId: string
  /** The roles that may bring them back. */
  readonly roles: readonly string[]
  readonly reach?: { readonly spaceIds: readonly string[]; readonly baseIds: readonly string[] }
}

/** What a thing in the trash was called. */
export interface TrashedThing {
  readonly id: string
  readonly name: string
  /** The space of a base. */
  readonly spaceId?: string
  /** The type of a field, or the kind of a view. */
  readonly type?: string
  readonly isLookup?: boolean
}

/** Reads what lies in the trash. What is being purged is never answered. */
export interface TrashReader {
  /** The entry; held for update when the transaction is to change it. */
  find(entryId: string, lock: 'none' | 'update'): Promise<TrashEntry | undefined>
  /** Those of the entries that there are, in the order of their ids. */
  findAll(entryIds: readonly string[]): Promise<readonly TrashEntry[]>
  /** By whom and when those of the operations deleted something that there are. */
  deletionsIn(operationIds: readonly string[]): Promise<readonly Deletion[]>
  /** The entries of a table, or of what has a node in a base. */
  listOf(placeId: string, page: TrashPage): Promise<readonly TrashEntry[]>
  /** Deleted spaces in which the user has one of the roles. */
  listSpaces(places: TrashedPlaces, page: TrashPage): Promise<readonly TrashEntry[]>
  /** Deleted bases of living spaces, of one or of all, in which, or in whose space, the user has one of the roles. */
  listBases(
    places: TrashedPlaces & { readonly spaceId?: string | undefined },
    page: TrashPage,
  ): Promise<readonly TrashEntry[]>
  /** What those of the things that there are were called, all of one type and none of them records, by id. */
  describe(
    type: Exclude<TrashedType, 'record'>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, TrashedThing>>
}

/** Keeps what lies in the trash. */
export interface TrashRepository extends TrashReader {
  /** Notes what an operation deleted. */
  add(
    deletion: Deletion,
    what: Pick<TrashEntry, 'placeId' | 'resourceType' | 'resourceIds'>,
  ): Promise<void>
  /** Forgets an entry: what it names is back, or gone for good. */
  remove(entryId: string): Promise<void>
  /** Puts entries out of reach for good: the background takes away what they name. */
  discard(entryIds: readonly string[]): Promise<void>
  /** Puts all entries of a place out of reach for good. Answers how many there were. */
  discardAll(placeId: string): Promise<number>
  /** Puts entries of before a time out of reach for good, so many at most, the oldest first. Answers how many there were. */
  discardOlder(before: Timestamp, most: number): Promise<number>
  /** Has an entry that is out of reach name these things alone: the others are gone. */
  keepOnly(entryId: string, resourceIds: readonly string[]): Promise<void>
  /** An entry that is out of reach for good, after so many others; the oldest first. */
  nextDiscarded(skip: number): Promise<TrashEntry | undefined>
}
