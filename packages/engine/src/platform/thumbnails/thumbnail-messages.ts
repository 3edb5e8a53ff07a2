import type { ImageSize } from '@gateleg/domain/attachments/files/image-size'

/** A message to the process that makes thumbnails. All of an image is sent before the next one. */
export type ToThumbnailProcess =
  | {
      readonly kind: 'begin'
      /** The type that the first bytes say: `image/png`. */
      readonly type: string
      /** Pixels that the image may have. */
      readonly pixels: number
      /** Bytes of memory that the process may take. */
      readonly memoryBytes: number
      /** Pixels that each thumbnail has at most, from the largest. */
      readonly sizes: readonly ImageSize[]
    }
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }

/** What it answers. */
export type FromThumbnailProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'made'; readonly thumbnails: readonly Uint8Array[] }
  | { readonly kind: 'refused'; readonly reason: string }
