import type { Migration } from './migration.ts'

/** Who signs in themselves, so that they may set a password by a mail; of the others an embedding program says who they are. */
export const signIns: Migration = {
  name: '029-sign-ins',
  statements: ({ db, addColumn }) => [
    addColumn('users', ['signs_in', 'boolean', 'null']),
    db.updateTable('users').set(({ eb, or }) => ({
      signs_in: or([
        eb('password_hash', 'is not', null),
        eb('id', 'in', db.selectFrom('identities').select('user_id')),
      ]),
    })),
  ],
}
