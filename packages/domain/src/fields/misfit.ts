/** An option that stands against what the field reads, and what would be right. */
export interface Misfit {
  /** The member of the options. */
  readonly option: string
  readonly message: string
}
