/** A row of a base in terms of the product: members by name, values as JSON can hold them. */
export type CanonicalRow = Readonly<Record<string, unknown>>

/** Everything of a base but its records, living and deleted, by kind; each kind ordered by id. */
export type CanonicalStructure = Readonly<
  Record<
    | 'bases'
    | 'collaborators'
    | 'nodes'
    | 'folders'
    | 'dashboards'
    | 'workflows'
    | 'tables'
    | 'fields'
    | 'views'
    | 'pluginInstalls'
    | 'pluginPanels',
    readonly CanonicalRow[]
  >
>

/** Records of a table that were read as far as their size allowed: `limits.recordsLength`. */
export interface CanonicalBatch {
  /** One at least, where there is one. */
  readonly rows: readonly CanonicalRow[]
  /** Whether it ends before it has as many as were asked for, though there are more. */
  readonly isCut: boolean
}

/** Where a page of records ended. */
export interface CanonicalPlace {
  readonly tableId: string
  /** The number of the last record of the page. */
  readonly after: number
}

/** Where a page of comments ended. */
export interface CanonicalCommentPlace {
  readonly tableId: string
  /** The last comment of the page; undefined before the first page. */
  readonly after?: { readonly recordId: string; readonly number: number }
}

/**
 * Reads a base whole, as it is stored: what is in the trash too, and the cells of deleted fields. Two
 * storages that hold the same base answer the same.
 */
export interface CanonicalReader {
  structure(baseId: string): Promise<CanonicalStructure>
  /**
   * At most `take` records of a table after the place, by their numbers: their own members, and `cells`
   * by physical column.
   */
  records(place: CanonicalPlace, take: number): Promise<CanonicalBatch>
  /** At most `take` comments of a table after the place, by the ids of their records, then by their numbers. */
  comments(place: CanonicalCommentPlace, take: number): Promise<readonly CanonicalRow[]>
}
