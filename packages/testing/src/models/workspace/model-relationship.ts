export const modelRelationships = ['oneOne', 'oneMany', 'manyOne', 'manyMany'] as const

export type Relationship = (typeof modelRelationships)[number]
