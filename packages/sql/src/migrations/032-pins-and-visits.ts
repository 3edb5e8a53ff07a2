import type { Migration } from './migration.ts'

/** What users keep at hand, and what they opened last. */
export const pinsAndVisits: Migration = {
  name: '032-pins-and-visits',
  statements: ({ db, table }) => [
    table(
      'pins',
      [
        ['user_id', 'text'],
        ['resource_type', 'text'],
        ['resource_id', 'text'],
        ['position', 'integer'],
        ['parent_id', 'text', 'null'],
        ['base_id', 'text', 'null'],
      ],
      ['user_id', 'resource_type', 'resource_id'],
    ),
    table(
      'last_visits',
      [
        ['user_id', 'text'],
        ['parent_id', 'text'],
        ['resource_type', 'text'],
        ['resource_id', 'text'],
        ['child_id', 'text', 'null'],
        ['base_id', 'text', 'null'],
        ['visited_time', 'text'],
      ],
      ['user_id', 'parent_id', 'resource_type'],
    ),
    db.schema
      .createIndex('last_visits_time')
      .on('last_visits')
      .columns(['user_id', 'visited_time']),
    ...(['resource_id', 'parent_id', 'base_id'] as const).flatMap((column) =>
      (['pins', 'last_visits'] as const).map((name) =>
        db.schema.createIndex(`${name}_${column}`).on(name).column(column),
      ),
    ),
  ],
}
