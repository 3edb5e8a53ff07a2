import { idPrefixes } from '../ids/id-prefixes.ts'
import { limits } from '../limits.ts'
import { textUpTo } from '../values/storable-text.ts'

const rule = 'must be a letter, then at most 62 letters, digits or "_"'

const { table, field, rowOrder } = idPrefixes

/**
 * How names of indexes and sequences of the storage begin. Tables are among these in one schema of PostgreSQL, where
 * no two of them have one name.
 */
const ofIndex = new RegExp(`^(${table}|${field}|${rowOrder})[0-9a-z]{16}_`, 'i')

/** Whether indexes of the storage are called so. */
export function isNameOfIndex(name: string): boolean {
  return ofIndex.test(name)
}

/** A physical table name: begins with a letter, and is that of no index. */
export const dbTableNameSchema = textUpTo(limits.dbFieldNameLength, rule)
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/, rule)
  .refine(
    (name) => !isNameOfIndex(name),
    'must not begin with an id and "_", as names of indexes do',
  )
