import type { TrashedType } from '../../trash/trash-entry.ts'
import type { Archived } from './archive-line.ts'

/** An entry of a trash that says all of itself: archives of version 3 say less. */
export interface WholeEntry extends Archived<'trash'> {
  readonly id: string
  readonly type: Exclude<TrashedType, 'base' | 'space'>
  readonly ids: string[]
}

/** What one call deleted of what an archive tells before its records. */
export interface ArchivedEntry extends WholeEntry {
  readonly type: Exclude<WholeEntry['type'], 'record'>
}

/** Whether an entry is told where the things are that it names, before any records. */
export function isOfSettings(said: Archived<'trash'>): boolean {
  return said.type !== undefined && said.type !== 'record'
}

/** Whether an entry says all of itself. Throws what `wrong` makes for one that says more than those of version 3, and not all. */
export function isWhole(
  said: Archived<'trash'>,
  wrong: (message: string) => Error,
): said is WholeEntry {
  const members = [said.id, said.type, said.ids]
  if (members.every((member) => member === undefined)) return false
  if (members.every((member) => member !== undefined)) return true
  throw wrong('what was deleted must have an id and a type, and say what it was')
}
