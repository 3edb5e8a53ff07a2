/** How many records each end of a link may have at the other: `oneMany` is one here to many there. */
export const relationships = ['oneOne', 'oneMany', 'manyOne', 'manyMany'] as const

/** How many records each end of a link may have at the other. */
export type Relationship = (typeof relationships)[number]

/**
 * A link as one of its fields sees it. Links are pairs of records in a table of their own, which lies
 * beside the tables of the base whose field was made first: that field is the owner.
 */
export interface LinkEnd {
  /** The base that holds the pairs. */
  readonly baseId: string
  /** The id of the owner: the pairs are kept under it. */
  readonly ownerFieldId: string
  /** Whether this is the end of the owner. */
  readonly isOwner: boolean
  /** As seen from this end. */
  readonly relationship: Relationship
}

/** The beginning of the name of the table that holds the pairs of a link, before the id of its owner. */
export const linkTablePrefix = '__link_'

/** Whether a record at this end has many links. */
export function hasMany(relationship: Relationship): boolean {
  return relationship === 'oneMany' || relationship === 'manyMany'
}

/** Whether a record at the other end has one link at most. */
export function isExclusive(relationship: Relationship): boolean {
  return relationship === 'oneOne' || relationship === 'oneMany'
}

/** The relationship as seen from the other end. */
export function reversed(relationship: Relationship): Relationship {
  if (relationship === 'oneMany') return 'manyOne'
  return relationship === 'manyOne' ? 'oneMany' : relationship
}

/** The same link as seen from its other end. */
export function otherEnd(end: LinkEnd): LinkEnd {
  return { ...end, isOwner: !end.isOwner, relationship: reversed(end.relationship) }
}
