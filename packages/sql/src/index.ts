// What an adapter of another SQL database begins with.
export type { SqlConnection } from './core/connection.ts'
export { isUniqueFailure, SqlFailure, type SqlFailureKind } from './core/connection.ts'
export type { ListDialect } from './core/dialect/list-dialect.ts'
export type { LockDialect, NameLocks } from './core/dialect/lock-dialect.ts'
export type { OwnTableDialect } from './core/dialect/own-table-dialect.ts'
export { Place } from './core/dialect/place.ts'
export type { QueryDialect } from './core/dialect/query-dialect.ts'
export type { RowDialect } from './core/dialect/row-dialect.ts'
export type { SqlDialect } from './core/dialect/sql-dialect.ts'
export type { TableDialect } from './core/dialect/table-dialect.ts'
export type { TypedColumn } from './core/dialect/typed-column.ts'
export type { ValueDialect } from './core/dialect/value-dialect.ts'
export { OwnTables } from './core/own-tables.ts'
export type { ProcessorTurns } from './core/processor-turns.ts'
export { SqlSession } from './core/session.ts'
export { migrate } from './migrations/migrate.ts'
export { migrations } from './migrations/migrations.ts'
export {
  NewerStorageError,
  StorageRefusedError,
  UnknownStorageError,
} from './migrations/storage-errors.ts'
export { writeMigrations } from './migrations/write-migrations.ts'
export type { WrittenMigration, WrittenMigrations } from './migrations/written-migrations.ts'
export { SqlStore, type SqlStoreParts, type SqlTransactions } from './sql-store.ts'
export { turnsOfThread } from './turns-of-thread.ts'
