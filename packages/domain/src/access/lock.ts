/**
 * How a row is held while the transaction lasts: `share` keeps others from changing it, `update` keeps
 * others from changing or sharing it. A storage with one writer at a time has nothing to do.
 */
export type Lock = 'none' | 'share' | 'update'

/**
 * The access of a user to a place that may be in the trash; undefined when the place never existed, or was deleted for
 * good.
 */
export type MaybeDeleted<Access> = (Access & { readonly isDeleted: boolean }) | undefined
