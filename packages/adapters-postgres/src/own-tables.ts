import type { OwnTableDialect } from '@gateleg/sql/core/dialect/own-table-dialect'

/** The schema of the product's own tables where none is named. */
export const defaultSchema = 'gateleg'

/** The tables lie in the schema, and values are bound by their numbers. */
export function postgresOwnTables(metadataSchema: string): OwnTableDialect & {
  readonly metadataSchema: string
} {
  return { metadataSchema, placeOf: (number) => `$${number}` }
}
