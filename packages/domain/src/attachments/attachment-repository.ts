import type { Timestamp } from '../clock.ts'

/** A file that the service has, under the token it was given out with. */
export interface StoredFile {
  readonly token: string
  /** The space for whose cells the token was issued. */
  readonly spaceId: string
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly mimetype: string
  /** Pixels; null for what is no image. */
  readonly width: number | null
  readonly height: number | null
  readonly createdBy: string
  readonly createdTime: Timestamp
}

/** Reads what is known of stored files. */
export interface AttachmentReader {
  /** Those of the files whose tokens were issued for the space, in no order. */
  findAll(spaceId: string, tokens: readonly string[]): Promise<readonly StoredFile[]>
}

/** Keeps what is known of stored files. */
export interface AttachmentRepository extends AttachmentReader {
  insert(file: StoredFile): Promise<void>
}
