import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ImageSize } from '@gateleg/domain/attachments/files/image-size'
import type { ThumbnailSource } from '@gateleg/domain/attachments/thumbnails/thumbnail-maker'
import { DomainError } from '@gateleg/domain/errors'
import type { FromThumbnailProcess, ToThumbnailProcess } from './thumbnail-messages.ts'

/** The sizes and limits for making thumbnails. */
interface ThumbnailTerms {
  /** Pixels that each has at most, from the largest. */
  readonly sizes: readonly ImageSize[]
  /** Pixels that the image may have. */
  readonly pixels: number
  /** Bytes of memory that the process may take. */
  readonly memoryBytes: number
  /** How long it may take once it has the image. */
  readonly milliseconds: number
}

/** The process ended while it worked on an image, by itself or because that took too long. */
export class ThumbnailProcessEnded extends Error {}

/** Milliseconds in which the process must have started. */
const startMs = 30_000

/** Megabytes of the JavaScript of the process; images are kept outside of it. */
const heapMb = 64

/** A process that makes thumbnails of one image at a time. */
export class ThumbnailProcess {
  readonly #child: ChildProcess
  #hasEnded = false
  /** Takes what the process says next; undefined when it has ended. */
  #hear: ((message: FromThumbnailProcess | undefined) => void) | undefined

  private constructor() {
    // The same file is TypeScript while we work, and JavaScript in a package.
    const program = new URL(`./thumbnail-process${extname(import.meta.url)}`, import.meta.url)
    this.#child = fork(fileURLToPath(program), {
      // It has no use for what the environment of a server holds, such as keys.
      env: { SystemRoot: process.env.SystemRoot ?? '' },
      execArgv: [`--max-old-space-size=${heapMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('message', (message) => this.#hear?.(message as FromThumbnailProcess))
    const onEnd = () => {
      this.#hasEnded = true
      this.#hear?.(undefined)
    }
    this.#child.on('error', onEnd)
    this.#child.on('exit', onEnd)
  }

  /** Starts one; `service_busy` where that fails, since the machine lacks something. */
  static async start(): Promise<ThumbnailProcess> {
    const started = new ThumbnailProcess()
    const first = await started.#answer(startMs)
    if (first?.kind !== 'ready') {
      started.end()
      throw new DomainError('service_busy', 'No thumbnails can be made now')
    }
    started.#letIdle()
    return started
  }

  get id(): number | undefined {
    return this.#child.pid
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  end(): void {
    this.#hasEnded = true
    this.#child.kill('SIGKILL')
  }

  /**
   * The thumbnails, in the order of the sizes; undefined where the image can't be read. Fails with ThumbnailProcessEnded, and with
   * what the source fails with.
   */
  async make(
    { type, bytes }: ThumbnailSource,
    { milliseconds, ...terms }: ThumbnailTerms,
  ): Promise<readonly Uint8Array[] | undefined> {
    this.#child.ref()
    this.#child.channel?.ref()
    try {
      await this.#tell({ kind: 'begin', type, ...terms })
      for await (const piece of bytes) await this.#tell({ kind: 'piece', bytes: piece })
      const answer = this.#answer(milliseconds)
      await this.#tell({ kind: 'end' })
      const message = await answer
      if (message?.kind === 'made') return message.thumbnails
      if (message?.kind === 'refused') return undefined
      this.end()
      throw new ThumbnailProcessEnded()
    } finally {
      this.#letIdle()
    }
  }

  /** What it says next; undefined when it ends first, or the time does. */
  #answer(milliseconds: number): Promise<FromThumbnailProcess | undefined> {
    if (this.#hasEnded) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const timer = setTimeout(() => hear(undefined), milliseconds)
      const hear = (message: FromThumbnailProcess | undefined) => {
        clearTimeout(timer)
        this.#hear = undefined
        resolve(message)
      }
      this.#hear = hear
    })
  }

  /** Resolves when the message is on its way, so that few pieces wait in memory. */
  #tell(message: ToThumbnailProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.send(message, (error) => {
        if (error) reject(new ThumbnailProcessEnded('it has ended', { cause: error }))
        else resolve()
      })
    })
  }

  /** An idle one doesn't keep this process alive. It works for as long as others leave it the processor. */
  #letIdle(): void {
    this.#child.unref()
    this.#child.channel?.unref()
    try {
      if (this.id !== undefined) setPriority(this.id, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // It has ended, or the system has no priorities: it works all the same.
    }
  }
}
