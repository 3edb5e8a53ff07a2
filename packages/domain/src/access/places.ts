/** Some spaces and bases, by their ids. */
export interface Places {
  readonly spaceIds: readonly string[]
  readonly baseIds: readonly string[]
}
