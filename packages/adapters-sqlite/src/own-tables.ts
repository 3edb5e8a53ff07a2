import type { OwnTableDialect } from '@gateleg/sql/core/dialect/own-table-dialect'

/** There are no schemas, and values are bound in their order. */
export const sqliteOwnTables: OwnTableDialect = { metadataSchema: undefined, placeOf: () => '?' }
