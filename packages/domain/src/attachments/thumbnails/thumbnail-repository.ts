import type { ThumbnailKind } from './thumbnail.ts'

/** A thumbnail of stored bytes, or that there can be none. */
export interface StoredThumbnail {
  /** The key of the image's bytes in the blob store. */
  readonly sourcePath: string
  readonly kind: ThumbnailKind
  /** The key of its own bytes there; null where none could be made. */
  readonly path: string | null
  /** Bytes; 0 where there are none. */
  readonly size: number
}

/** Reads what is known of thumbnails. */
export interface ThumbnailReader {
  find(sourcePath: string, kind: ThumbnailKind): Promise<StoredThumbnail | undefined>
  /** The ones of the paths under which bytes of thumbnails are kept, in no order. */
  knownPaths(paths: readonly string[]): Promise<readonly string[]>
}

/** Keeps what is known of thumbnails. */
export interface ThumbnailRepository extends ThumbnailReader {
  /**
   * Keeps thumbnails of one image. Answers false, and keeps none, where its bytes are not known any more, or thumbnails of it are
   * there already. Nobody can remove the image until the transaction ends.
   */
  insert(thumbnails: readonly StoredThumbnail[]): Promise<boolean>
  /** Forgets all thumbnails of these images. */
  removeOf(sourcePaths: readonly string[]): Promise<void>
}
