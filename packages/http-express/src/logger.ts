/** The logger of the app; a pino logger fits. */
export interface Logger {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}
