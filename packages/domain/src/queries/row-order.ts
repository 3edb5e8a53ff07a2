/**
 * An order into which the rows of a view were put: each record has a place in it, a number. It is what is noted for the
 * record, else its own number, so that new records come last and nothing has to be noted for them.
 */
export interface RowOrder {
  readonly id: string
  /** For all records up to this number a place is noted: 0 for an order in which only those that were moved have one. */
  readonly frozenNumber: number
  /**
   * The version of the view with which records that nobody moved got other places, to make room between them; 0 for
   * never. Who noted a place before that looks for it anew.
   */
  readonly renumberedVersion: number
  /** Tells places from those of before and after such a change, where they came back since; else the version does. */
  readonly numbering?: number
}

/** What tells the places of an order from those that records had before others got theirs. */
export function numberingOf({ numbering, renumberedVersion }: RowOrder): number {
  return numbering ?? renumberedVersion
}
