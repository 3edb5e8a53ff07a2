import { prepared } from '../core/database.ts'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import type { RetiredColumnRow } from '../core/schema.ts'

/** The columns of a table that no field has any more. */
export const retiredOf = prepared<{ tableId: string }, RetiredColumnRow>((db, value) =>
  db
    .selectFrom('retired_columns')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .orderBy('name'),
)

/** Those of them that keep values for steps of undo. */
export const keptOf = prepared<{ tableId: string }, TypedColumn>((db, value) =>
  db
    .selectFrom('retired_columns')
    .innerJoin('kept_values', (join) =>
      join
        .onRef('kept_values.table_id', '=', 'retired_columns.table_id')
        .onRef('kept_values.column_name', '=', 'retired_columns.name'),
    )
    .select(['retired_columns.name', 'retired_columns.type'])
    .where('retired_columns.table_id', '=', value('tableId'))
    .orderBy('retired_columns.name')
    .$castTo<TypedColumn>(),
)

/** Notes up to which record they have no values. */
export const noteEmptied = prepared<
  { tableId: string; names: readonly string[]; emptied: number; isEmpty: boolean },
  unknown
>((db, value, dialect) =>
  db
    .updateTable('retired_columns')
    .set({ emptied_number: value('emptied'), is_empty: value('isEmpty') })
    .where('table_id', '=', value('tableId'))
    .where(dialect.lists.isIn('name', value('names'))),
)

/** Notes that they have another type now. */
export const noteRetyped = prepared<
  { tableId: string; names: readonly string[]; type: string },
  unknown
>((db, value, dialect) =>
  db
    .updateTable('retired_columns')
    .set({ type: value('type') })
    .where('table_id', '=', value('tableId'))
    .where(dialect.lists.isIn('name', value('names'))),
)

/** Tables that have at least so many which are empty. */
export const tablesWithEmpty = prepared<{ least: number }, { table_id: string }>((db, value) =>
  db
    .selectFrom('retired_columns')
    .select('table_id')
    .where('is_empty', '=', true)
    .groupBy('table_id')
    .having((eb) => eb.fn.countAll(), '>=', value('least'))
    .orderBy('table_id'),
)

/** Forgets those that fields have again. */
export const forgetRetired = prepared<{ tableId: string; names: readonly string[] }, unknown>(
  (db, value, dialect) =>
    db
      .deleteFrom('retired_columns')
      .where('table_id', '=', value('tableId'))
      .where(dialect.lists.isIn('name', value('names'))),
)
