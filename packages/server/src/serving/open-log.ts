import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { LogOutput } from './log-output.ts'
import { toLoggedError } from './to-logged-error.ts'

/** The log of a server. */
export interface Log {
  readonly logger: Logger
  /** Writes what has not been written yet. */
  close(): void
}

/** Milliseconds that the last of the lines wait that are written together. */
const waitMs = 500

const standardOutput = 1

/**
 * Opens the log on the standard output. A process that ends, even by an error, writes all lines; one that is killed
 * may not. It doesn't use pino's own output, which tries for ever to write to a full disk.
 */
export function openLog(level: string): Log {
  const output = new LogOutput((bytes) => writeSync(standardOutput, bytes))
  const flush = () => output.flush()
  const timer = setInterval(flush, waitMs).unref()
  process.on('exit', flush)
  return {
    logger: pino({ level, serializers: { err: toLoggedError } }, output),
    close: () => {
      clearInterval(timer)
      process.off('exit', flush)
      flush()
    },
  }
}
