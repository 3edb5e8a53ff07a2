import { type Logger, pino } from 'pino'

export interface Log {
  readonly logger: Logger
  /** Writes what has not been written yet. */
  close(): void
}

/** Bytes of lines that are written together, and milliseconds that the last of them wait. */
const bytesTogether = 4_096
const waitMs = 500

/**
 * Opens the log on the standard output. Lines are written together: to write each by itself takes as long
 * as a small request. A process that ends, even by an error, writes them all; one that is killed may not.
 */
export function openLog(level: string): Log {
  const output = pino.destination({ sync: true, minLength: bytesTogether, periodicFlush: waitMs })
  const flush = () => output.flushSync()
  process.on('exit', flush)
  return {
    logger: pino({ level }, output),
    close: () => {
      process.off('exit', flush)
      flush()
    },
  }
}
