import type { Migration } from './migration.ts'

/** What plans count of files, by which providers people sign in, and what workflows are made of. */
export const plansLoginsWorkflows: Migration = {
  name: '019-plans-logins-workflows',
  statements: ({ db, table, addColumn }) => [
    // With the size, so that adding up takes the index alone.
    db.schema.createIndex('attachments_space').on('attachments').columns(['space_id', 'size']),
    table(
      'login_providers',
      [
        ['id', 'text'],
        ['space_id', 'text'],
        ['type', 'text'],
        ['name', 'text'],
        ['config', 'text'],
        ['sealed', 'text'],
        ['created_by', 'text'],
        ['created_time', 'text'],
        ['version', 'integer'],
      ],
      ['id'],
    ),
    db.schema.createIndex('login_providers_space').on('login_providers').column('space_id'),
    addColumn('workflows', ['about', 'text', 'null']),
    addColumn('workflows', ['draft', 'text', 'null']),
    addColumn('workflows', ['published', 'text', 'null']),
    addColumn('workflows', ['active_by', 'text', 'null']),
    addColumn('workflows', ['changed_by', 'text', 'null']),
    addColumn('workflows', ['changed_time', 'text', 'null']),
  ],
}
