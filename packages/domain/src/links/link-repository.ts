import type { LinkEnd } from '../fields/link-end.ts'

/** A record at one end of a link, and one at the other. */
export interface LinkedPair {
  readonly recordId: string
  readonly foreignId: string
}

/** A pair, and its place among the links of the record at the other end. */
export interface PlacedPair extends LinkedPair {
  readonly place: number
}

/** A record, and two that it was linked to. */
export interface LostLinks {
  readonly recordId: string
  readonly linkedIds: readonly [string, string]
}

/** Whether pairs of which a record lies in the trash are meant, too. */
export type WhichPairs = 'living' | 'all'

/** What else is known where the links of records are replaced. */
export interface LinkReplacement {
  /**
   * The last places at the other end from calls before, where the link had no pair before the first of them and got all in
   * such calls: they aren't looked up then, which takes longer the more pairs there are, and it is kept up to date.
   */
  readonly last?: Map<string, number> | undefined
  /** Places at the other end of pairs that may be new: where they had been once. */
  readonly places?: readonly PlacedPair[] | undefined
  /**
   * What took pairs away of which a record lies in the trash: by the record at this end, then by the one at the other. Where it is
   * given, the links listed are all pairs, and each has its place among these.
   */
  readonly lost?: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined
}

/**
 * Pairs of linked records. A pair one of whose records is in the trash is not there, until both records
 * live again.
 */
export interface LinkReader {
  /** The pairs of the records at this end: those of one record together, in the order it has them. */
  of(end: LinkEnd, recordIds: readonly string[], which?: WhichPairs): Promise<readonly LinkedPair[]>
  /** The pairs of the records at this end, each with its place at the other end. */
  placed(
    end: LinkEnd,
    recordIds: readonly string[],
    which?: WhichPairs,
  ): Promise<readonly PlacedPair[]>
  /** How many pairs each of the records at this end has; those that have none are left out. */
  count(
    end: LinkEnd,
    recordIds: readonly string[],
    which?: WhichPairs,
  ): Promise<ReadonlyMap<string, number>>
  /** How many pairs there are, those of deleted records too. */
  total(end: LinkEnd): Promise<number>
  /** How many pairs were taken away with a record, and may come back. */
  countLost(end: LinkEnd): Promise<number>
  /** So many records at most that have more pairs than that, in the order of ids, after an id. */
  withMany(end: LinkEnd, moreThan: number, after: string, most: number): Promise<readonly string[]>
  /** At most so many of the records that are linked to one of these at the other end, each once, in no order. */
  recordsLinkedTo(
    end: LinkEnd,
    foreignIds: readonly string[],
    most: number,
  ): Promise<readonly string[]>
}

/** Keeps which records are linked. */
export interface LinkRepository extends LinkReader {
  /** Makes the place for the pairs of a link; none of them is there yet. */
  create(end: LinkEnd): Promise<void>
  /** Removes the pairs and their place, if they are there. */
  drop(end: LinkEnd): Promise<void>
  /**
   * Gives each of the records at this end exactly the links listed, in that order. On the other end, new
   * links come last, unless their places are given, and those that stay keep theirs. `validation_error` when a record at an end
   * that takes one link at most would get a second one; whoever calls has looked before. Answers the records
   * at the other end that gained a link, with the place of the last one there: they have no more links than
   * that. None where they take one link at most.
   */
  replace(
    end: LinkEnd,
    links: ReadonlyMap<string, readonly string[]>,
    replacement?: LinkReplacement,
  ): Promise<ReadonlyMap<string, number>>
  /** Takes the pairs of records at this end away until the operation that deleted the records is undone. */
  markDeleted(end: LinkEnd, recordIds: readonly string[], operationId: string): Promise<void>
  /** The records at the other end of pairs that an operation took away from these, each once. */
  lostBy(
    end: LinkEnd,
    recordIds: readonly string[],
    operationId: string,
  ): Promise<readonly string[]>
  /**
   * Has pairs that an operation took away from records at this end be away by others: those that deleted the records at the
   * other end, by the ids of these.
   */
  handOver(
    end: LinkEnd,
    recordIds: readonly string[],
    operationId: string,
    deleted: ReadonlyMap<string, string>,
  ): Promise<void>
  /** A record, at either end, that takes one link at most and lost several by an operation that took them from these; if any. */
  clashOf(
    end: LinkEnd,
    recordIds: readonly string[],
    operationId: string,
  ): Promise<LostLinks | undefined>
  /**
   * Gives the pairs back that an operation took away from records at this end. `validation_error` when a record at an end that
   * takes one link at most would get a second one; whoever calls has looked before.
   */
  restore(end: LinkEnd, recordIds: readonly string[], operationId: string): Promise<void>
  /** Removes all pairs of records at this end for good, those of deleted records too. */
  purge(end: LinkEnd, recordIds: readonly string[]): Promise<void>
  /** Copies all pairs, those of deleted records too, into another link's place, which has none; both ends correspond. */
  copy(from: LinkEnd, to: LinkEnd): Promise<void>
  /**
   * Copies the pairs that were taken away, with what took them, into another link's place, which has none of these; both ends
   * correspond.
   */
  copyLost(from: LinkEnd, to: LinkEnd): Promise<void>
}
