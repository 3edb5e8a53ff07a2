import type { Migration } from './migration.ts'

/** Which plugins there are, and where they are installed. */
export const plugins: Migration = {
  name: '020-plugins',
  statements: ({ db, table }) => [
    table(
      'plugins',
      [
        ['id', 'text'],
        ['name', 'text'],
        ['description', 'text', 'null'],
        ['details', 'text', 'null'],
        ['logo', 'text'],
        ['url', 'text', 'null'],
        ['help_url', 'text', 'null'],
        ['config', 'text', 'null'],
        ['positions', 'text'],
        ['words', 'text', 'null'],
        ['status', 'text'],
        ['secret_hash', 'text'],
        ['created_by', 'text'],
        ['created_time', 'text'],
        ['last_modified_time', 'text'],
        ['version', 'integer'],
      ],
      ['id'],
    ),
    db.schema.createIndex('plugins_maker').on('plugins').column('created_by'),
    db.schema.createIndex('plugins_status').on('plugins').column('status'),
    table(
      'plugin_installs',
      [
        ['id', 'text'],
        ['plugin_id', 'text'],
        ['base_id', 'text'],
        ['table_id', 'text', 'null'],
        ['kind', 'text'],
        ['position_id', 'text'],
        ['name', 'text'],
        ['position', 'double precision'],
        ['storage', 'text', 'null'],
        ['created_by', 'text'],
        ['created_time', 'text'],
        ['version', 'integer'],
      ],
      ['id'],
    ),
    db.schema.createIndex('plugin_installs_position').on('plugin_installs').column('position_id'),
    db.schema.createIndex('plugin_installs_base').on('plugin_installs').column('base_id'),
    db.schema.createIndex('plugin_installs_table').on('plugin_installs').column('table_id'),
  ],
}
