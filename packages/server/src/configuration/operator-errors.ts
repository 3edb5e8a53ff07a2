import { FileInUseError } from '@gateleg/adapters-sqlite/file/file-lock'
import { InstanceKeyError } from '@gateleg/engine/instance-key'
import { SqlFailure } from '@gateleg/sql/core/connection'
import { StorageRefusedError } from '@gateleg/sql/migrations/storage-errors'
import { ConfigurationError } from './configuration.ts'

/** Tells an operator what to do about a file that another program uses. */
export type FileInUseAdvice = (file: string) => string

const endOrMove: FileInUseAdvice = (file) =>
  `Another program is using ${file}: only one at a time may, so end that one first, or choose another DATA_DIR.`

/** What sentences about failures name. */
interface FailureAdvice {
  readonly fileInUse?: FileInUseAdvice | undefined
  /** Where the operator said which database it is. */
  readonly databaseIn?: 'DATABASE_URL' | '--to'
  /** The directory in which files are written. */
  readonly filesIn?: string
}

/** Runs the work; errors that the operator can fix become a ConfigurationError. */
export async function explainingFailures<T>(
  work: () => Promise<T>,
  advice: FailureAdvice = {},
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toOperatorError(error, advice)
  }
}

function toOperatorError(
  error: unknown,
  { fileInUse = endOrMove, databaseIn = 'DATABASE_URL', filesIn }: FailureAdvice,
): unknown {
  if (error instanceof FileInUseError) return new ConfigurationError([fileInUse(error.file)])
  if (error instanceof StorageRefusedError) return new ConfigurationError([`${error.message}.`])
  if (error instanceof InstanceKeyError) {
    return new ConfigurationError([`${error.message}: look at instance.key and GATELEG_KEY.`])
  }
  const { code, syscall } = error as NodeJS.ErrnoException
  if (filesIn !== undefined && code !== undefined && syscall !== undefined) {
    return new ConfigurationError([
      `A file can't be read, or written in ${filesIn} (${code}): look at the room on the disk, and at who may use that directory.`,
    ])
  }
  if (!(error instanceof SqlFailure)) return error
  return new ConfigurationError([`${error.message}: look at ${databaseIn}.`])
}

/** Why the server can't listen, for its operator; other errors as they are. */
export function toListenError(error: unknown, { host, port }: { host: string; port: number }) {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new ConfigurationError([
      `Another program listens on port ${port} of ${host}: end it, or choose another PORT.`,
    ])
  }
  if (code === undefined || syscall === undefined) return error
  return new ConfigurationError([
    `It can't listen on port ${port} of ${host} (${code}): choose another HOST or PORT.`,
  ])
}
