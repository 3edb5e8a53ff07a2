import type { Migration } from './migration.ts'

/** The order into which the rows of a view were put: its places lie beside the table, in a table of its own. */
export const rowOrders: Migration = {
  name: '010-row-orders',
  statements: ({ addColumn }) => [addColumn('views', ['row_order', 'text', 'null'])],
}
