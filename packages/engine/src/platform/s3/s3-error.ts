import { noRoom, outOfReach, refused } from '../blobs/files-refusal.ts'
import { textIn } from './s3-xml.ts'

/** An unexpected answer of the object store; `status` is 0 where there was no answer. */
export class S3Error extends Error {
  readonly status: number
  /** What the store calls it: `NoSuchBucket`. */
  readonly reason: string

  constructor(status: number, reason: string, cause?: unknown) {
    super(`The S3 store answered ${status === 0 ? 'nothing' : status}: ${reason}`, { cause })
    this.name = 'S3Error'
    this.status = status
    this.reason = reason
  }

  /** Whether the same request may succeed in a moment. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || (this.status >= 500 && !this.isFull)
  }

  /** Whether the store has no room. */
  get isFull(): boolean {
    return this.status === 507 || fullReasons.test(this.reason)
  }
}

/** What stores say of a full disk, or of a bucket that may hold no more. */
const fullReasons =
  /^(?:QuotaExceeded|InsufficientStorage|InsufficientCapacity|StorageFull|XMinioStorageFull|XMinioAdminBucketQuotaExceeded|EntityTooLarge)$/

/** Makes the error for an answer from what its body says. */
export function toS3Error(status: number, body: string): S3Error {
  return new S3Error(status, textIn(body, 'Code') ?? 'no reason was given')
}

/**
 * Converts an error of the store for the caller: 507 when the store is full, else 503. What the store said, as of a wrong key, is the
 * cause, for the log alone.
 */
export function toDomainError(error: unknown): unknown {
  if (!(error instanceof S3Error)) return error
  if (error.isFull) return noRoom(error)
  return error.isPassing ? outOfReach(error) : refused(error)
}
