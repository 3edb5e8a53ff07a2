import type { Migration } from './migration.ts'

/** What people set of a view: which records it shows, in which order and groups, and whether it may change. */
export const viewSettings: Migration = {
  name: '009-view-settings',
  statements: ({ addColumn }) => [
    addColumn('views', ['filter', 'text', 'null']),
    addColumn('views', ['sort', 'text', 'null']),
    addColumn('views', ['grouping', 'text', 'null']),
    addColumn('views', ['is_locked', 'boolean', 'null']),
  ],
}
