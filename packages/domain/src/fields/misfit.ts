import type { Issue } from '../errors.ts'

/** An option, or one of `lookupOptions`, that stands against what the field reads, and what would be right. */
export interface Misfit {
  /** Which options have it; those of the field's type where it isn't said. */
  readonly among?: 'lookupOptions'
  /** The member of the options. */
  readonly option: string
  /** Where in the option it is, from there on. */
  readonly path?: Issue['path']
  /** Whether the option stays as it is where it is stored already. */
  readonly mayStay?: boolean
  readonly message: string
}
