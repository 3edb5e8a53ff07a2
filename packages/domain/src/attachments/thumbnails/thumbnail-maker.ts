import type { ImageSize } from '../files/image-size.ts'

/** An image that thumbnails are made of. */
export interface ThumbnailSource {
  /** One of the types that the maker has. */
  readonly type: string
  /** The number of its bytes. */
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Makes thumbnails of an image, one for each of the sizes that they have at most, in that order; undefined where none can be
 * made: its bytes are broken, of another type, or take too many pixels, too much memory or time. What the source throws is
 * thrown on, and where its bytes come too slowly `service_busy`: others wait meanwhile.
 */
export type MakeThumbnails = (
  source: ThumbnailSource,
  sizes: readonly ImageSize[],
) => Promise<readonly Uint8Array[] | undefined>

/** Makes thumbnails, of one image after another. */
export interface ThumbnailMaker {
  /** The types of images that it reads: `image/png`. */
  readonly types: ReadonlySet<string>
  /**
   * Does the work when it is the caller's turn: no other work is done meanwhile, and callers take turns. Refuses with
   * `service_busy` where too much of the caller's waits already.
   */
  inTurn<T>(caller: string, work: (make: MakeThumbnails) => Promise<T>): Promise<T>
}

/** Makes none, of no image. */
export const noThumbnails: ThumbnailMaker = {
  types: new Set(),
  inTurn: (_caller, work) => work(async () => undefined),
}
