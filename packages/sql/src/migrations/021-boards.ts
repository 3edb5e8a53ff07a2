import type { Migration } from './migration.ts'

/** Where plugins stand on dashboards, and the panels beside tables. */
export const boards: Migration = {
  name: '021-boards',
  statements: ({ db, table, addColumn }) => [
    addColumn('dashboards', ['layout', 'text', 'null']),
    table(
      'plugin_panels',
      [
        ['id', 'text'],
        ['base_id', 'text'],
        ['table_id', 'text'],
        ['name', 'text'],
        ['layout', 'text', 'null'],
        ['created_by', 'text'],
        ['created_time', 'text'],
        ['version', 'integer'],
      ],
      ['id'],
    ),
    db.schema.createIndex('plugin_panels_base').on('plugin_panels').column('base_id'),
    db.schema.createIndex('plugin_panels_table').on('plugin_panels').column('table_id'),
  ],
}
