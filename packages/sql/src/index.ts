// What an adapter of another SQL database begins with.
export type { SqlConnection } from './core/connection.ts'
export { isUniqueFailure, SqlFailure, type SqlFailureKind } from './core/connection.ts'
export type { SqlDialect, TypedColumn } from './core/dialect.ts'
export { SqlSession } from './core/session.ts'
export { migrate, migrations } from './migrations/migrate.ts'
export {
  NewerStorageError,
  StorageRefusedError,
  UnknownStorageError,
} from './migrations/storage-errors.ts'
export { SqlStore, type SqlStoreParts, type SqlTransactions } from './sql-store.ts'
