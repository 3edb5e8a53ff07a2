/** Whom the archive names that are known here. */
export interface KnownPeople {
  /** The user who did something: the one who imports it where nobody is known by the id. */
  of(userId: string): string
}
