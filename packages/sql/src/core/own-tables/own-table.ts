import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../dialect/sql-dialect.ts'

/** The name of one of the product's own tables, for statements that the query builder doesn't make. */
export function ownTable({ metadataSchema }: SqlDialect, name: string): RawBuilder<unknown> {
  return metadataSchema === undefined ? sql.id(name) : sql.id(metadataSchema, name)
}
