import type { Migration } from './migration.ts'

/** What people chose of the index of searches of a table; null where the product decides. */
export const searchChoice: Migration = {
  name: '024-search-choice',
  statements: ({ addColumn }) => [addColumn('tables', ['search_index', 'text', 'null'])],
}
