/** What the adapters use of Kysely: from here, so that there is one copy of it in what is published. */
export { PostgresQueryCompiler, SqliteQueryCompiler, sql } from 'kysely'
