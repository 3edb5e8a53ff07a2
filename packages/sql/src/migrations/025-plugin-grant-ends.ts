import type { Migration } from './migration.ts'

/** With which version a plugin was last published no more, and when the token of a grant was last used. */
export const pluginGrantEnds: Migration = {
  name: '025-plugin-grant-ends',
  statements: ({ addColumn }) => [
    addColumn('plugins', ['withdrawn_version', 'integer', 'null']),
    addColumn('plugin_grants', ['withdrawn_version', 'integer', 'null']),
    addColumn('plugin_grants', ['last_used_time', 'text', 'null']),
  ],
}
