/** An option, or one of `lookupOptions`, that stands against what the field reads, and what would be right. */
export interface Misfit {
  /** Which options have it; those of the field's type where it isn't said. */
  readonly among?: 'lookupOptions'
  /** The member of the options. */
  readonly option: string
  readonly message: string
}
