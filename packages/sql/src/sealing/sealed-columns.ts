import type { Database } from '../metadata/database-schema.ts'

/** A table of the product's own with texts that are sealed under the instance key. */
export interface SealedTable {
  readonly name: keyof Database
  /** The column by which its rows are told apart. */
  readonly key: string
  readonly columns: readonly string[]
}

/** Everything that is sealed under the instance key, wherever it is stored. */
export const sealedTables: readonly SealedTable[] = [
  { name: 'login_providers', key: 'id', columns: ['sealed'] },
  { name: 'answers', key: 'key_hash', columns: ['input_hash', 'sealed_answer'] },
]
