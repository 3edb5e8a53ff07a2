import sharp from 'sharp'
import type { FromThumbnailProcess, ToThumbnailProcess } from './thumbnail-messages.ts'

// A process of its own, which makes thumbnails one after another. What libraries of images do with hostile bytes is nobody's to
// foresee: it knows no secrets, and its end is the end of one image.

/** What each type is to libvips, and what loads it there. All other loaders are shut, whatever the bytes say that they are. */
const formats: Readonly<Record<string, { readonly format: string; readonly loader: string }>> = {
  'image/jpeg': { format: 'jpeg', loader: 'VipsForeignLoadJpegBuffer' },
  'image/png': { format: 'png', loader: 'VipsForeignLoadPngBuffer' },
  'image/webp': { format: 'webp', loader: 'VipsForeignLoadWebpBuffer' },
  'image/gif': { format: 'gif', loader: 'VipsForeignLoadNsgifBuffer' },
  'image/avif': { format: 'heif', loader: 'VipsForeignLoadHeifBuffer' },
}

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: Object.values(formats).map(({ loader }) => loader) })

/** Milliseconds between two looks at the memory. */
const lookMs = 20

const quality = 80

let task: Extract<ToThumbnailProcess, { kind: 'begin' }> | undefined
let pieces: Uint8Array[] = []

process.on('message', (message: ToThumbnailProcess) => {
  switch (message.kind) {
    case 'begin':
      task = message
      pieces = []
      return
    case 'piece':
      pieces.push(message.bytes)
      return
    case 'end':
      void make()
  }
})
// A signal to all processes of a server, as systems send to end it, must not end this one before: that would look as if an
// image had. It goes when the server has.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
// Who asked is gone. An exit would wait for what is under way.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

async function make(): Promise<void> {
  if (!task) return
  const { memoryBytes } = task
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, 'SIGKILL')
  }, lookMs)
  try {
    send({ kind: 'made', thumbnails: await thumbnailsOf(Buffer.concat(pieces), task) })
  } catch (error) {
    send({ kind: 'refused', reason: error instanceof Error ? error.message : String(error) })
  } finally {
    clearInterval(watch)
    pieces = []
  }
}

async function thumbnailsOf(
  bytes: Buffer,
  { type, pixels, sizes }: Extract<ToThumbnailProcess, { kind: 'begin' }>,
): Promise<readonly Uint8Array[]> {
  const options = { limitInputPixels: pixels, failOn: 'error', sequentialRead: true } as const
  const image = sharp(bytes, options)
  const { format } = await image.metadata()
  if (format !== formats[type]?.format) throw new Error(`it is no ${type}`)
  const made: Uint8Array[] = []
  let source = image.autoOrient()
  // From the largest to the smallest, each made of the one before.
  for (const size of sizes) {
    const within = { ...size, fit: 'inside', withoutEnlargement: true } as const
    const thumbnail = await source.resize(within).webp({ quality }).toBuffer()
    made.push(Uint8Array.from(thumbnail))
    source = sharp(thumbnail, options)
  }
  return made
}

function send(message: FromThumbnailProcess): void {
  process.send?.(message)
}

send({ kind: 'ready' })
