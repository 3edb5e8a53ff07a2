import type { Timestamp } from '../clock.ts'
import type { DomainError } from '../errors.ts'

/** Bytes that were put into a blob store. */
export interface PutBlob {
  /** What they are asked for by: letters, digits and dashes, 128 at most. No other bytes ever have it. */
  readonly path: string
  /** SHA-256 of the bytes, in lower-case hexadecimal. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

/** Where bytes of a blob begin and end, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** A blob, as far as a list tells of it. */
export interface ListedBlob {
  readonly path: string
  readonly putTime: Timestamp
  /** For which data it was put; undefined where nobody said so. */
  readonly owner?: string | undefined
}

/**
 * Keeps bytes, as many as there are, under names that it gives. Bytes that are there never change.
 */
export interface BlobStore {
  /** Of a store that keeps nothing: what every `put` is refused with. Callers are told before they send anything. */
  readonly refusal?: DomainError | undefined
  /**
   * Takes the bytes piece by piece, and holds few of them in memory. Resolves when all are durable; when the source or the
   * store fails, nothing is left of them and the error is thrown on, as `insufficient_storage` where there is no room.
   * Nobody sees a part of a blob. The same bytes, put twice, are two blobs. `owner`, of eight hexadecimal digits, tells the
   * blobs of these data from those of others that are kept in the same place: lists tell it.
   */
  put(bytes: AsyncIterable<Uint8Array>, owner?: string): Promise<PutBlob>
  /**
   * The bytes of a blob, or of a part of it that lies within, piece by piece; undefined when there is no such blob, or the
   * path is none. What is read goes on though the blob is removed meanwhile. Who stops reading sooner loses nothing.
   */
  read(path: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Removes a blob for good; nothing happens when there is none. */
  remove(path: string): Promise<void>
  /** All blobs in pages of a bounded size, in no order. One that is put or removed meanwhile may be told of or not. */
  list(): AsyncIterable<readonly ListedBlob[]>
}
