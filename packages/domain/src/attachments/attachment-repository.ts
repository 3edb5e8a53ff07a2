import type { Timestamp } from '../clock.ts'

/** A file that the service has, under the token it was given out with. */
export interface StoredFile {
  readonly token: string
  /** The space for whose cells the token was issued. */
  readonly spaceId: string
  /** The key of its bytes in the blob store. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly mimetype: string
  /** Pixels; null for what is no image. */
  readonly width: number | null
  readonly height: number | null
  readonly createdBy: string
  readonly createdTime: Timestamp
  /** When a cell was last known to have it; null as long as none did. Until then it is its uploader's alone. */
  readonly attachedTime: Timestamp | null
}

/** Bytes in the blob store, as they are found by their content. */
export interface StoredBlob {
  /** SHA-256 of the bytes, in lower-case hexadecimal. */
  readonly digest: string
  /** The key of the bytes in the blob store. */
  readonly path: string
  /** When somebody last brought these bytes. */
  readonly broughtTime: Timestamp
}

/** A place that was kept for a file which is to be uploaded. */
export interface UploadSlot {
  readonly token: string
  readonly spaceId: string
  readonly userId: string
  /** Bytes that the file was said to have. */
  readonly size: number
  readonly expiresTime: Timestamp
}

/** Reads what is known of stored files. */
export interface AttachmentReader {
  /** Those of the files whose tokens were issued for the space, in no order. */
  findAll(spaceId: string, tokens: readonly string[]): Promise<readonly StoredFile[]>
  /** The file of the token, whichever space it was issued for. */
  find(token: string): Promise<StoredFile | undefined>
  /** The slot of the token, expired or not. */
  findSlot(token: string): Promise<UploadSlot | undefined>
  /** Those of the paths under which bytes are kept, in no order. */
  knownPaths(paths: readonly string[]): Promise<readonly string[]>
}

/** Keeps what is known of stored files, and which bytes there are. */
export interface AttachmentRepository extends AttachmentReader {
  insert(file: StoredFile): Promise<void>
  /**
   * Keeps bytes that were brought, and adds a file that has them, under the path where they are kept. Answers that path, as
   * `keepBlob` does.
   */
  insertBrought(file: Omit<StoredFile, 'path'>, blob: StoredBlob): Promise<string>
  /**
   * Notes that cells have the files of the tokens, as far as they were issued for the space and the user uploaded
   * them, or cells had them before, which is noted anew after an hour. Nobody can remove those that are noted until the
   * transaction ends.
   */
  attach(terms: {
    readonly spaceId: string
    readonly tokens: readonly string[]
    readonly userId: string
    readonly time: Timestamp
  }): Promise<void>
  /** Has the files of the tokens, if any, belong to another space. */
  moveTo(spaceId: string, tokens: readonly string[]): Promise<void>
  /**
   * Keeps bytes that were brought. Answers the path under which they are kept: another one where the same bytes were
   * there before. Nobody can remove them until the transaction ends.
   */
  keepBlob(blob: StoredBlob): Promise<string>
  /** Removes so many files that were uploaded before the time and that no cell ever had. Answers how many there were. */
  removeUnattached(before: Timestamp, most: number): Promise<number>
  /**
   * Removes so many blobs that were brought before the time and that no file has. Answers their paths: once the
   * transaction has ended, nobody will ask for them again.
   */
  removeUnused(before: Timestamp, most: number): Promise<readonly string[]>
  insertSlot(slot: UploadSlot): Promise<void>
  /** Removes the slot of the token. Answers whether there was one: of several that take it, one does. */
  takeSlot(token: string): Promise<boolean>
  /** Removes so many slots that have expired by the time. Answers how many there were. */
  deleteExpiredSlots(now: Timestamp, most: number): Promise<number>
}
