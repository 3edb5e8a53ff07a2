import type { ResourceType } from './tree-node.ts'

/** What has a name in a space: its bases, and what stands in their trees. */
export const namedTypes = ['base', 'folder', 'table', 'dashboard', 'workflow'] as const

/** What kind of thing that is. */
type NamedType = 'base' | ResourceType

/** Where a thing stands among those that were found: by name, ties by id. */
export interface FoundPlace {
  /** Its name, folded. */
  readonly folded: string
  readonly id: string
}

/** A thing that has the searched text in its name. */
export interface FoundName {
  readonly id: string
  readonly type: NamedType
  readonly name: string
  readonly icon: string | null
  /** The base that it lies in, or is. */
  readonly baseId: string
  readonly baseName: string
}

/** Which names are searched, and which of those that are found are read. */
export interface NameSearch {
  readonly spaceId: string
  readonly types: readonly NamedType[]
  /** A part of the name, folded. */
  readonly part: string
  readonly after?: FoundPlace | undefined
  readonly take: number
}

/** Finds living things of living bases by their names. */
export interface NameFinder {
  /** How many names the trees of a space's bases have. */
  countIn(spaceId: string): Promise<number>
  /** How many things were found, and those that stand after the place, so many at most. */
  find(
    search: NameSearch,
  ): Promise<{ readonly total: number; readonly found: readonly FoundName[] }>
}
