import type { QueryCompiler } from 'kysely'
import type { ListDialect } from './list-dialect.ts'
import type { LockDialect } from './lock-dialect.ts'
import type { OwnTableDialect } from './own-table-dialect.ts'
import type { QueryDialect } from './query-dialect.ts'
import type { RowDialect } from './row-dialect.ts'
import type { TableDialect } from './table-dialect.ts'
import type { ValueDialect } from './value-dialect.ts'

/**
 * All differences between SQL engines, by subject. Callers use a part of it, and never ask for an engine's name. Pieces
 * of statements are expressions of the query builder, which become text when a statement is compiled.
 */
export interface SqlDialect extends OwnTableDialect {
  /**
   * Makes what turns expressions into text. A `Place` that stands twice in a statement is one value where the
   * engine can say so, and refused where it can't.
   */
  createQueryCompiler(): QueryCompiler
  readonly tables: TableDialect
  readonly values: ValueDialect
  readonly lists: ListDialect
  readonly rows: RowDialect
  readonly queries: QueryDialect
  readonly locks: LockDialect
}
