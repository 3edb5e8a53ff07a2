import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, noRoom, saysNoRoom, toDiskRefusal } from './files-refusal.ts'

/** A file that has arrived completely. */
interface IncomingFile {
  /** Where its bytes are until they are moved or removed. */
  readonly file: string
  /** 16 hexadecimal digits that no other file has. */
  readonly mark: string
  /** SHA-256 of the bytes, in lower-case hexadecimal. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

/** What must hold of written bytes: `synced` ones outlive a crash of the machine, `written` ones one of the process. */
type Durability = 'synced' | 'written'

/** A folder for files that are arriving, before they go into a blob store. */
export class IncomingFolder {
  readonly #folder: string
  readonly #leftoverHours: number
  readonly #nowMs: () => number
  /** The files that this process is receiving, however slowly they come. */
  readonly #underWay = new Set<string>()

  /**
   * Takes the folder, which is made when it is needed, for its owner's eyes only, and the hours after the last write to a file of
   * another process for which that may still be at work on it.
   */
  constructor(folder: string, leftoverHours: number, nowMs: () => number = Date.now) {
    this.#folder = folder
    this.#leftoverHours = leftoverHours
    this.#nowMs = nowMs
  }

  /**
   * Takes the bytes in and has `move` move them to where they are to be. When anything fails, nothing is left of them.
   * They are on the disk before. Throws `insufficient_storage` where the disk has no room, and `service_busy` where it fails
   * otherwise; what brings the bytes says itself why they break off.
   */
  takeAndMove<T>(
    bytes: AsyncIterable<Uint8Array>,
    move: (incoming: IncomingFile) => Promise<T>,
  ): Promise<T> {
    return this.#take(bytes, 'synced', move)
  }

  /** Takes bytes that only `use` needs: they are not synced to the disk, and are removed when it ends. */
  takeForNow<T>(
    bytes: AsyncIterable<Uint8Array>,
    use: (incoming: IncomingFile) => Promise<T>,
  ): Promise<T> {
    return this.#take(bytes, 'written', async (incoming) => {
      const result = await use(incoming)
      await rm(incoming.file, { force: true })
      return result
    })
  }

  async #take<T>(
    bytes: AsyncIterable<Uint8Array>,
    durability: Durability,
    use: (incoming: IncomingFile) => Promise<T>,
  ): Promise<T> {
    const mark = randomBytes(8).toString('hex')
    const name = `${mark}.part`
    const file = join(this.#folder, name)
    this.#underWay.add(name)
    const source = new Source(bytes)
    try {
      const handle = await inFolder(this.#folder, () => open(file, 'wx', 0o600))
      return await use({ file, mark, ...(await writeTo(handle, source.pieces(), durability)) })
    } catch (error) {
      // A disk that fails may keep it: it is removed with what killed processes have left.
      await rm(file, { force: true }).catch(() => undefined)
      if (saysNoRoom(error)) throw noRoom(error)
      throw source.failure === error ? error : toDiskRefusal(error)
    } finally {
      this.#underWay.delete(name)
    }
  }

  /** Removes what killed processes have left. */
  async removeLeftovers(): Promise<void> {
    const before = this.#nowMs() - this.#leftoverHours * 3_600_000
    for await (const name of namesIn(this.#folder)) {
      if (this.#underWay.has(name)) continue
      const found = await statOf(join(this.#folder, name))
      if (found && found.mtimeMs < before) await rm(join(this.#folder, name), { force: true })
    }
  }
}

/** What brings bytes, whose errors are told from those of the disk that takes them in. */
class Source {
  failure: unknown
  readonly #bytes: AsyncIterable<Uint8Array>

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#bytes = bytes
  }

  async *pieces(): AsyncIterable<Uint8Array> {
    try {
      yield* this.#bytes
    } catch (error) {
      this.failure = error
      throw error
    }
  }
}

/**
 * Writes the bytes to a new file that only its owner can read, and returns their SHA-256 in lowercase hexadecimal and
 * their number.
 */
export async function writeAll(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  durability: Durability,
): Promise<Pick<IncomingFile, 'digest' | 'size'>> {
  return writeTo(await open(file, 'wx', 0o600), bytes, durability)
}

/** Bytes that are written at once: each write takes a thread of few, and wakes this one. */
const gatheredBytes = 128 * 1024

/** Memory to gather bytes in that nobody uses now: made anew for each file, it had to be collected ever so often. */
const spare: Buffer[] = []
const mostSpare = 16

async function writeTo(
  handle: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  durability: Durability,
): Promise<Pick<IncomingFile, 'digest' | 'size'>> {
  const digest = createHash('sha256')
  const gathered = spare.pop() ?? Buffer.allocUnsafe(gatheredBytes)
  let length = 0
  let size = 0
  const write = async () => {
    if (length > 0) await writeWhole(handle, gathered.subarray(0, length))
    length = 0
  }
  try {
    for await (const piece of bytes) {
      digest.update(piece)
      size += piece.length
      if (length + piece.length > gatheredBytes) await write()
      if (piece.length > gatheredBytes) {
        await writeWhole(handle, piece)
        continue
      }
      // A copy: who brings the bytes may use their memory again.
      gathered.set(piece, length)
      length += piece.length
    }
    await write()
    if (durability === 'synced') await handle.sync()
    if (spare.length < mostSpare) spare.push(gathered)
  } finally {
    await handle.close()
  }
  return { digest: digest.digest('hex'), size }
}

/** Not `appendFile`, which does more around each write than it takes. */
async function writeWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done)).bytesWritten
  }
}

/** Does the work in a folder that is nearly always there, and makes that where it isn't. */
export async function inFolder<T>(
  folder: string,
  work: () => Promise<T>,
  madeFolder: () => Promise<void> = async () => {},
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    await makeFolder(folder)
    await madeFolder()
    return work()
  }
}

/** Creates the folder so that only its owner can use it. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Returns the properties of the file; undefined when it doesn't exist. */
export async function statOf(file: string) {
  try {
    return await stat(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The names in the folder; none when it doesn't exist. */
export async function* namesIn(folder: string): AsyncIterable<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}
