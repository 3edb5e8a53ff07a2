import type { ImageSize } from '@gateleg/domain/attachments/files/image-size'
import type {
  MakeThumbnails,
  ThumbnailMaker,
  ThumbnailSource,
} from '@gateleg/domain/attachments/thumbnails/thumbnail-maker'
import { limits } from '@gateleg/domain/limits'
import { FairQueue } from '@gateleg/domain/structures/fair-queue'
import { readInTime } from './read-in-time.ts'
import type { ThumbnailProcess } from './thumbnail-child.ts'

/** Milliseconds after which a process that has nothing to do ends: it holds some 60 MB. */
const idleMs = 30_000

/** The image, whose bytes come in time or not at all: its turn is everybody's. */
function inTime(source: ThumbnailSource): ThumbnailSource {
  const { thumbnailReadSeconds, thumbnailReadBytesPerSecond } = limits
  const seconds = thumbnailReadSeconds + source.size / thumbnailReadBytesPerSecond
  return { ...source, bytes: readInTime(source.bytes, seconds * 1_000) }
}

/**
 * Makes thumbnails with sharp, in a process that is started when the first one is needed: an image that crashes it
 * ends that process and not this one.
 */
export class SharpThumbnailMaker implements ThumbnailMaker {
  readonly types = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])
  readonly #waiting = new FairQueue<() => void>('thumbnailsWaitingPerCaller')
  #isBusy = false
  #child: ThumbnailProcess | undefined
  #idle: NodeJS.Timeout | undefined

  /** The process under way, where there is one; for tests. */
  get processId(): number | undefined {
    return this.#child?.id
  }

  async inTurn<T>(caller: string, work: (make: MakeThumbnails) => Promise<T>): Promise<T> {
    await this.#takeTurn(caller)
    try {
      return await work((source, sizes) => this.#make(inTime(source), sizes))
    } finally {
      this.#endTurn()
    }
  }

  async #takeTurn(caller: string): Promise<void> {
    if (!this.#isBusy) {
      this.#isBusy = true
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(caller, resolve)
    await promise
  }

  /** Hands the turn on, to one of another caller where there is any. */
  #endTurn(): void {
    const next = this.#waiting.take()
    if (next) next()
    else this.#isBusy = false
  }

  async #make(source: ThumbnailSource, sizes: readonly ImageSize[]): ReturnType<MakeThumbnails> {
    clearTimeout(this.#idle)
    // Loaded with the first image: most programs that open an engine start no process.
    const { ThumbnailProcess, ThumbnailProcessEnded } = await import('./thumbnail-child.ts')
    // One that was ended from outside while it had nothing to do costs no image its thumbnails.
    const idle = this.#child?.hasEnded ? undefined : this.#child
    const child = idle ?? (await ThumbnailProcess.start())
    this.#child = child
    const fromLargest = sizes.toSorted((a, b) => b.height - a.height)
    try {
      const made = await child.make(source, {
        sizes: fromLargest,
        pixels: limits.thumbnailPixels,
        memoryBytes: limits.thumbnailMemoryBytes,
        milliseconds: limits.thumbnailSeconds * 1_000,
      })
      const areSmall = made?.every((bytes) => bytes.length <= limits.thumbnailBytes)
      if (!made || !areSmall) return undefined
      return sizes.map((size) => made[fromLargest.indexOf(size)] ?? new Uint8Array())
    } catch (error) {
      if (error instanceof ThumbnailProcessEnded) return undefined
      throw error
    } finally {
      if (child.hasEnded) this.#child = undefined
      else this.#endWhenIdle(child)
    }
  }

  #endWhenIdle(child: ThumbnailProcess): void {
    this.#idle = setTimeout(() => {
      this.#child = undefined
      child.end()
    }, idleMs).unref()
  }
}
