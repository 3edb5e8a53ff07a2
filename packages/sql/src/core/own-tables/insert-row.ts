import type { Database } from '../../metadata/database-schema.ts'
import type { TableColumns } from '../../metadata/table-columns.ts'
import { type PreparedQuery, prepared } from '../database.ts'

/** Adds a row to the table. */
export function insertInto<Row extends object>(
  table: keyof Database,
  { names }: Pick<TableColumns<never, Row>, 'names'>,
): PreparedQuery<Row, unknown> {
  return prepared<Row, unknown>((db, value) =>
    db.insertInto(table).values(valuesOf<Row, keyof Row & string>(names, value) as never),
  )
}

/** Adds a row to the table, in the place of the one that has the same key, where there is one. */
export function saveInto<Row extends object>(
  table: keyof Database,
  columns: Pick<TableColumns<never, Row>, 'names' | 'except'>,
  ...key: readonly (keyof Row & string)[]
): PreparedQuery<Row, unknown> {
  return prepared<Row, unknown>((db, value) =>
    db
      .insertInto(table)
      .values(valuesOf<Row, keyof Row & string>(columns.names, value) as never)
      .onConflict((conflict) =>
        conflict
          .columns(key as never)
          .doUpdateSet(
            (eb) =>
              valuesOf<Row, keyof Row & string>(
                columns.except(...key),
                (name) => eb.ref(`excluded.${name}` as never) as never,
              ) as never,
          ),
      ),
  )
}

/** A value for each of the columns, by its name; for an insert or an update. */
export function valuesOf<Row extends object, Name extends keyof Row & string>(
  names: readonly Name[],
  value: (name: Name) => Row[Name],
): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Pick<Row, Name>
}
