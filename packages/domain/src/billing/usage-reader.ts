/** A table, or a base. */
export interface CountedPlace {
  readonly type: 'table' | 'base'
  readonly id: string
}

/** What spaces have of what plans limit. What is deleted, or lies in what is deleted, doesn't count. */
export interface UsageReader {
  /**
   * A number that the space has no more records than, found without passing over any: the highest numbers of its
   * tables, which count deleted records too.
   */
  recordsAtMost(spaceId: string): Promise<number>
  /** Its records, counted one by one. */
  countRecords(spaceId: string): Promise<number>
  /** The living records of a table, or of the living tables of a base, be that itself deleted or not; counted likewise. */
  countRecordsIn(place: CountedPlace): Promise<number>
  /** Bytes of the files that were stored for it, each as often as it was. */
  fileBytes(spaceId: string): Promise<number>
  /** How many people have a role in it or in a base of it, without those of the users. */
  countCollaborators(spaceId: string, without?: readonly string[]): Promise<number>
  /** The space that the base lies in, deleted or not; undefined when there is no such base. */
  spaceOf(baseId: string): Promise<string | undefined>
}
