import type { ByteRange } from './blob-store.ts'
import type { AskedDisposition } from './files/asked-disposition.ts'
import { exactly } from './files/exactly.ts'

/** Types that a browser shows and never runs. */
const shownTypes =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[a-z0-9-]+|video\/(?:mp4|webm|quicktime)|text\/plain)$/

/** Reads bytes of a file, all of them or a part; undefined when they are gone. */
export type OpenFile = (range?: ByteRange) => Promise<AsyncIterable<Uint8Array> | undefined>

/** A file that a caller may read. */
export class ServedFile {
  readonly name: string
  readonly mimetype: string
  /** Bytes. */
  readonly size: number
  /** Which form of the file it is, where it isn't the file itself: `sm`, its small thumbnail. */
  readonly form: string | undefined
  /** Whether the caller wants it saved, whatever it is. */
  readonly #isToBeSaved: boolean
  readonly #open: OpenFile

  constructor(
    facts: Pick<ServedFile, 'name' | 'mimetype' | 'size'> & {
      readonly form?: string | undefined
      readonly isToBeSaved?: boolean
    },
    open: OpenFile,
  ) {
    this.name = facts.name
    this.mimetype = facts.mimetype
    this.size = facts.size
    this.form = facts.form
    this.#isToBeSaved = facts.isToBeSaved ?? false
    this.#open = open
  }

  /** Whether a browser may show it in its place: what it could run is saved, never shown. */
  isShown(): boolean {
    return !this.#isToBeSaved && shownTypes.test(this.mimetype)
  }

  /** The file as a caller wants it answered. */
  as(asked: AskedDisposition | undefined): ServedFile {
    if (!asked) return this
    const { name, mimetype, size, form } = this
    const isToBeSaved = asked.kind === 'attachment'
    const facts = { name: asked.fileName ?? name, mimetype, size, form, isToBeSaved }
    return new ServedFile(facts, this.#open)
  }

  /**
   * Its bytes, or a part of them that lies within; undefined when they were removed meanwhile. Reading them fails with
   * `service_busy` where not as many come as there must be.
   */
  async read(range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const pieces = await this.#open(range)
    return pieces && exactly(range ? range.last - range.first + 1 : this.size, pieces)
  }
}
