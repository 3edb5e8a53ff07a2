export { backUpFile } from './backup-file.ts'
export type { FileContent } from './check-file.ts'
export { type SqliteOptions, sqlite } from './sqlite.ts'
