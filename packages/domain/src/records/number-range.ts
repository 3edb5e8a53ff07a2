/** Records by their numbers: those after one, up to and with another. */
export interface NumberRange {
  readonly after: number
  readonly until: number
}
