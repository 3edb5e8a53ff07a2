/** What the app logs with; a pino logger is one. */
export interface Logger {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}
