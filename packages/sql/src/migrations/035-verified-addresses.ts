import type { Migration } from './migration.ts'

/** Who has shown that their address is theirs. Of those that are there nothing is known of it, so that it counts as not shown. */
export const verifiedAddresses: Migration = {
  name: '035-verified-addresses',
  statements: ({ db, addColumn }) => [
    addColumn('users', ['email_verified', 'boolean', 'null']),
    db.updateTable('users').set(({ lit }) => ({ email_verified: lit(false) })),
  ],
}
