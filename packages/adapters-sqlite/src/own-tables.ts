import type { OwnTableDialect } from '@gateleg/sql/core/own-tables/own-tables'

/** There are no schemas, and values are bound in their order. */
export const sqliteOwnTables: OwnTableDialect = { metadataSchema: undefined, placeOf: () => '?' }
