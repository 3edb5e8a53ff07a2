import type { Migration } from './migration.ts'

/** How often a job was begun and not ended, and those that are parked for that. */
export const parkedJobs: Migration = {
  name: '007-parked-jobs',
  statements: ({ addColumn }) => [
    addColumn('jobs', ['attempts', 'integer', 'null']),
    addColumn('jobs', ['parked_time', 'text', 'null']),
    addColumn('jobs', ['parked_reason', 'text', 'null']),
  ],
}
