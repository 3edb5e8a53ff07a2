import { limits } from '../limits.ts'

/** The thumbnails of an image, by the names that members of its item begin with. */
export const thumbnailKinds = ['sm', 'lg'] as const

/** Which thumbnail of an image. */
export type ThumbnailKind = (typeof thumbnailKinds)[number]

/** Pixels of the height that a thumbnail has at most; it is four times as wide at most, and never larger than its image. */
export const thumbnailHeights: Readonly<Record<ThumbnailKind, number>> = { sm: 56, lg: 525 }

/** The type of all thumbnails. */
export const thumbnailType = 'image/webp'

interface ImageFacts {
  readonly mimetype: string
  /** Bytes. */
  readonly size: number
  /** Pixels, where they are known. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** Whether thumbnails are made of the file, by what is known of it before it is looked at. */
export function hasThumbnails(
  { mimetype, size, width, height }: ImageFacts,
  types: ReadonlySet<string>,
): boolean {
  if (!types.has(mimetype) || width === undefined || height === undefined) return false
  return size <= limits.thumbnailSourceBytes && width * height <= limits.thumbnailPixels
}
