/** A range of records by their numbers: after the first number, up to and including the second. */
export interface NumberRange {
  readonly after: number
  readonly until: number
}
