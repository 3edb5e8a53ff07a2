// Not `image-size`: the domain imports nothing, and four formats are a screen of code that reads no further than the
// bytes that it is given. Its loop goes forward with each step, whatever the bytes say.

/** Pixels of an image. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Pixels that a side of an image may have: what says more is broken, or wants to be. */
const sideMax = 1_000_000

/**
 * The size of an image by the bytes that its file begins with; undefined for what is no image, of another type, or
 * does not tell it so soon. Types are those of `sniffType`.
 */
export function imageSizeOf(head: Uint8Array, type: string): ImageSize | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const size = readers[type]?.(view)
  if (!size) return undefined
  const isSide = (side: number) => side > 0 && side <= sideMax
  return isSide(size.width) && isSide(size.height) ? size : undefined
}

/** Whether images of the type may tell their size behind other parts: a small image, a camera's notes. */
export function isSizeFurtherOn(type: string): boolean {
  return type === 'image/jpeg' || type === 'image/avif'
}

type Reader = (view: DataView) => ImageSize | undefined

const readers: Readonly<Record<string, Reader>> = {
  'image/png': (view) =>
    view.byteLength < 24 || textAt(view, 12, 4) !== 'IHDR'
      ? undefined
      : { width: view.getUint32(16), height: view.getUint32(20) },
  'image/gif': (view) =>
    view.byteLength < 10
      ? undefined
      : { width: view.getUint16(6, true), height: view.getUint16(8, true) },
  'image/bmp': (view) =>
    view.byteLength < 26
      ? undefined
      : { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) },
  'image/webp': webpSize,
  'image/jpeg': jpegSize,
  'image/avif': avifSize,
}

function webpSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 30) return undefined
  const uint24 = (place: number) => view.getUint16(place, true) + view.getUint8(place + 2) * 65_536
  switch (textAt(view, 12, 4)) {
    case 'VP8X':
      return { width: uint24(24) + 1, height: uint24(27) + 1 }
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    default:
      return undefined
  }
}

/** The largest of the sizes that the image's parts tell: itself, its transparency, a small one beside it. */
function avifSize(view: DataView): ImageSize | undefined {
  let largest: ImageSize | undefined
  for (let place = 4; place + 16 <= view.byteLength; place++) {
    if (view.getUint32(place) !== ispe) continue
    const size = { width: view.getUint32(place + 8), height: view.getUint32(place + 12) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}

/** The letters `ispe`, of which a box that tells a size has its name. */
const ispe = 0x69737065

/** Goes from segment to segment until one begins a frame. A size as the camera held it: turned images aren't turned here. */
function jpegSize(view: DataView): ImageSize | undefined {
  let place = 2
  while (place + 9 <= view.byteLength) {
    if (view.getUint8(place) !== 0xff) return undefined
    const marker = view.getUint8(place + 1)
    if (marker === 0xff) place += 1
    else if (isFrame(marker)) {
      return { width: view.getUint16(place + 7), height: view.getUint16(place + 5) }
    } else place += 2 + Math.max(2, view.getUint16(place + 2))
  }
  return undefined
}

function isFrame(marker: number): boolean {
  // Those between that begin tables: DHT, JPG and DAC.
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function textAt(view: DataView, place: number, length: number): string {
  let text = ''
  for (let index = place; index < place + length; index++) {
    text += String.fromCharCode(view.getUint8(index))
  }
  return text
}
