import type { FoundRecord, QueryPage, RecordQuery } from '../../queries/record-query.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'

/** Finds the living records of a table that a query asks for. */
export interface RecordFinder {
  /** Those of the page, in the order of the query; their cells are read by a RecordReader. */
  find(schema: TableSchema, query: RecordQuery, page: QueryPage): Promise<readonly FoundRecord[]>
  /** How many there are. */
  count(schema: TableSchema, condition: RecordQuery['condition']): Promise<number>
}
