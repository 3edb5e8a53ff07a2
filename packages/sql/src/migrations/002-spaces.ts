import { deletionColumns, type Migration } from './migration.ts'

/** Spaces, bases, and who may use them. */
export const spaces: Migration = {
  name: '002-spaces',
  statements: ({ db, table }) => [
    table(
      'spaces',
      [
        ['id', 'text'],
        ['name', 'text'],
        ['created_by', 'text'],
        ['created_time', 'text'],
        ['version', 'integer'],
        ...deletionColumns,
      ],
      ['id'],
    ),
    table(
      'bases',
      [
        ['id', 'text'],
        ['space_id', 'text'],
        ['name', 'text'],
        ['icon', 'text', 'null'],
        ['position', 'double precision'],
        ['created_by', 'text'],
        ['created_time', 'text'],
        ['last_modified_time', 'text'],
        ['version', 'integer'],
        ...deletionColumns,
      ],
      ['id'],
    ),
    db.schema.createIndex('bases_space').on('bases').column('space_id'),
    table(
      'collaborators',
      [
        ['resource_type', 'text'],
        ['resource_id', 'text'],
        ['user_id', 'text'],
        ['role', 'text'],
        ['created_by', 'text'],
        ['created_time', 'text'],
      ],
      ['resource_id', 'user_id'],
    ),
    db.schema.createIndex('collaborators_user').on('collaborators').column('user_id'),
  ],
}
