import type { z } from 'zod'
import { DomainError, invalidAt } from '../../errors.ts'
import { parseInput } from '../../input/parse-input.ts'
import { limits } from '../../limits.ts'
import type { Digester } from '../../secrets.ts'
import {
  type Archived,
  type ArchiveItem,
  archiveVersion,
  headerSchema,
  type LineKind,
  lineSchemas,
} from './archive-line.ts'
import { weighLine } from './archive-weight.ts'

/** What the first line says. */
export type ArchiveHeader = z.output<typeof headerSchema>

/** Hears that so many bytes more are in memory for as long as an archive is read; throws where these are too many. */
export type Hold = (bytes: number) => void

/** What an archive is read with. */
interface ReadWith {
  /** Makes the digest. */
  readonly digester: Digester
  readonly hold: Hold
  /** Lets others have their turn when it is time. */
  readonly giveWay: () => Promise<void>
}

const newline = 0x0a

/**
 * Reads an archive line by line, and holds no more of it than a line. All that is wrong with it is told with the line: what
 * is no archive, one of a newer version, one that was cut or changed.
 */
export class ArchiveReader {
  /** The line that was read last, from 1, its characters, and the memory that it takes. */
  line = 0
  length = 0
  weight = 0
  readonly #lines: AsyncGenerator<string>
  readonly #digester: Digester
  readonly #hold: Hold
  readonly #giveWay: () => Promise<void>
  #heldForLine = 0
  #next: ArchiveItem | undefined
  #hasEnded = false
  #header: ArchiveHeader | undefined

  /** Takes the bytes as they come, and what they are read with. */
  constructor(content: AsyncIterable<Uint8Array>, { digester, hold, giveWay }: ReadWith) {
    this.#lines = linesOf(content, () => this.line + 1)
    this.#digester = digester
    this.#hold = hold
    this.#giveWay = giveWay
  }

  /** The first line, which must be read first. */
  async header(): Promise<ArchiveHeader> {
    this.#header ??= await this.#readHeader()
    return this.#header
  }

  async #readHeader(): Promise<ArchiveHeader> {
    const text = await this.#read()
    if (text === undefined)
      throw invalidAt(['content'], 'is empty, and must be the archive of a base')
    const value = this.#parse(text)
    const version = (value as { version?: unknown } | undefined)?.version
    if (typeof version === 'number' && version > archiveVersion) {
      const reads = `this one reads version ${archiveVersion} and older ones`
      throw this.wrong(`the archive is of version ${version}, written by a newer server: ${reads}`)
    }
    const parsed = parseInput(headerSchema, value ?? {})
    if ('data' in parsed) return parsed.data
    throw this.wrong('must begin as the archive of a base does')
  }

  /** What the next line says; undefined at the end of a whole archive. */
  async next(): Promise<ArchiveItem | undefined> {
    const put = this.#next
    this.#next = undefined
    if (put || this.#hasEnded) return put
    await this.#giveWay()
    const text = await this.#read('as it is')
    if (text === undefined) throw this.wrong('the archive was cut: its end is missing')
    const item = this.#toItem(this.#parse(text))
    if (item.kind !== 'end') {
      this.#digester.add(`${text}\n`)
      return item
    }
    await this.#requireWhole(item.said)
    this.#hasEnded = true
    return undefined
  }

  /** Has the next read answer the item again. */
  putBack(item: ArchiveItem | undefined): void {
    this.#next = item
  }

  /** What is said of an archive that is wrong where it was read last. */
  wrong(message: string): DomainError {
    return invalidAt(['content'], `line ${this.line}: ${message}`)
  }

  async #read(how: 'as it is' | 'digested' = 'digested'): Promise<string | undefined> {
    const { value, done } = await this.#lines.next()
    if (done) return undefined
    this.line++
    this.length = value.length
    if (how === 'digested') this.#digester.add(`${value}\n`)
    return value
  }

  #parse(text: string): unknown {
    const weight = weighLine(text)
    if (typeof weight === 'string') throw this.wrong(weight)
    this.weight = weight
    if (weight > this.#heldForLine) {
      this.#hold(weight - this.#heldForLine)
      this.#heldForLine = weight
    }
    try {
      return JSON.parse(text)
    } catch {
      throw this.wrong(
        this.line === 1
          ? noBeginning('JSON')
          : 'must be JSON: if it is the last line, the archive was cut there',
      )
    }
  }

  #toItem(value: unknown): ArchiveItem {
    if (Array.isArray(value)) return { kind: 'list', said: value }
    if (typeof value === 'string') return { kind: 'bytes', said: value }
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
    const [kind, content] = members[0] ?? ['', undefined]
    if (members.length !== 1 || !isKind(kind)) {
      const kinds = Object.keys(lineSchemas).join(', ')
      throw this.wrong(`must be a list, a text, or an object with one of these alone: ${kinds}`)
    }
    const parsed = parseInput(lineSchemas[kind] as z.ZodType, content)
    if ('data' in parsed) return { kind, said: parsed.data } as ArchiveItem
    const [first] = parsed.issues
    throw this.wrong(`${[kind, ...(first?.path ?? [])].join('.')}: ${first?.message}`)
  }

  async #requireWhole({ lines, sha256 }: Archived<'end'>): Promise<void> {
    const read = this.line - 1
    if (lines !== read || sha256 !== this.#digester.end()) {
      throw this.wrong('the archive was changed after it was written, or is damaged')
    }
    if ((await this.#read('as it is')) !== undefined) throw this.wrong('nothing may follow the end')
  }
}

/** What is said of a first line that is not even written as that of an archive. */
function noBeginning(form: string): string {
  return `must be ${form}, as the archive of a base is: this is no archive`
}

function isKind(name: string): name is LineKind {
  return Object.hasOwn(lineSchemas, name)
}

const blockBytes = 64 * 1024

/** The bytes of a line that goes on, in blocks: pieces of their own would each take hundreds of bytes more than they bring. */
class LineBytes {
  readonly #blocks: Uint8Array[] = []
  /** What is used of the last block. */
  #used = blockBytes

  /** Copies the piece: who brings the bytes may use their memory again. */
  add(piece: Uint8Array): void {
    for (let from = 0; from < piece.length; ) {
      if (this.#used === blockBytes) {
        this.#blocks.push(new Uint8Array(blockBytes))
        this.#used = 0
      }
      const part = piece.subarray(from, from + blockBytes - this.#used)
      this.#blocks.at(-1)?.set(part, this.#used)
      this.#used += part.length
      from += part.length
    }
  }

  /** The bytes so far, in their order. */
  *parts(): Generator<Uint8Array> {
    const last = this.#blocks.length - 1
    for (const [at, block] of this.#blocks.entries()) {
      yield at === last ? block.subarray(0, this.#used) : block
    }
  }
}

/** The lines of a text in UTF-8, without their ends; `payload_too_large` where one, or all of them, are too long. */
async function* linesOf(
  content: AsyncIterable<Uint8Array>,
  number: () => number,
): AsyncGenerator<string> {
  const wrong = (message: string) => invalidAt(['content'], `line ${number()}: ${message}`)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let begun = new LineBytes()
  let length = 0
  let size = 0
  const decode = (end: Uint8Array) => {
    try {
      let text = ''
      for (const part of begun.parts()) text += decoder.decode(part, { stream: true })
      return text + decoder.decode(end)
    } catch {
      throw wrong(number() === 1 ? noBeginning('UTF-8') : 'must be UTF-8')
    }
  }
  for await (const part of content) {
    size += part.length
    if (size > limits.archiveBytes) throw tooLarge()
    for (let start = 0; start < part.length; ) {
      const found = part.indexOf(newline, start)
      const end = found === -1 ? part.length : found
      length += end - start
      if (length > limits.archiveLineBytes) {
        throw wrong(`must have ${limits.archiveLineBytes} bytes at most`)
      }
      const piece = part.subarray(start, end)
      start = end + 1
      if (found === -1) {
        begun.add(piece)
        break
      }
      yield decode(piece)
      begun = new LineBytes()
      length = 0
    }
  }
  if (length > 0) yield decode(new Uint8Array())
}

function tooLarge(): DomainError {
  const message = `The archive of a base may have ${limits.archiveBytes} bytes at most`
  return new DomainError('payload_too_large', message)
}
