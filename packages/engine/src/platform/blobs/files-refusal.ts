import { DomainError, serviceBusy } from '@gateleg/domain/errors'

/** Seconds after which to try again: where files may be reached in a moment, and where the operator has to act first. */
const passingSeconds = 5
const refusedSeconds = 60

/** The error for files that may be reached in a moment; the cause is for the log. */
export function outOfReach(cause: unknown): DomainError {
  return Object.assign(serviceBusy("Files can't be reached now", passingSeconds), { cause })
}

/** The error for files that can't be reached before the operator has acted; the cause is for the log. */
export function refused(cause: unknown): DomainError {
  const message = "Files can't be reached: the operator of the service finds the cause in the log"
  const data = { retryAfterSeconds: refusedSeconds }
  return Object.assign(new DomainError('service_busy', message, data), { cause })
}

/** The error for bytes for which there is no room; the cause is for the log. */
export function noRoom(cause: unknown): DomainError {
  const message = 'The storage has no room for the file: nothing was changed'
  return Object.assign(new DomainError('insufficient_storage', message), { cause })
}

/** What a file system says when it has no room: for the file, for its owner, for so large a file. */
const roomCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** What a system says that has too many files open just now. */
const passingCodes = new Set(['EMFILE', 'ENFILE'])

/** Whether the error says that a disk has no room. */
export function saysNoRoom(error: unknown): boolean {
  return roomCodes.has(codeOf(error) ?? '')
}

/**
 * Converts an error of the file system for the caller, as that of a bucket is: 507 when the disk is full, else 503. Other errors
 * stay as they are.
 */
export function toDiskRefusal(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  if (saysNoRoom(error)) return noRoom(error)
  return passingCodes.has(codeOf(error) ?? '') ? outOfReach(error) : refused(error)
}

/** Does work on a disk, whose errors are converted. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toDiskRefusal(error)
  }
}

/** What the system calls an error: `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
