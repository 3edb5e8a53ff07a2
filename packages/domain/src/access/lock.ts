/**
 * How a row is held while the transaction lasts: `share` keeps others from changing it, `update` keeps
 * others from changing or sharing it. A storage with one writer at a time has nothing to do.
 */
export type Lock = 'none' | 'share' | 'update'

/** Where a user stands to what may be deleted; undefined when it never was, or is gone for good. */
export type MaybeDeleted<Access> = (Access & { readonly isDeleted: boolean }) | undefined
