import type { Migration } from './migration.ts'

/** Since when an account is gone, and where it had roles, until its name is shown there no more. */
export const accountEnds: Migration = {
  name: '028-account-ends',
  statements: ({ addColumn, table }) => [
    addColumn('users', ['deleted_time', 'text', 'null']),
    table(
      'former_roles',
      [
        ['user_id', 'text'],
        ['resource_id', 'text'],
      ],
      ['user_id', 'resource_id'],
    ),
  ],
}
