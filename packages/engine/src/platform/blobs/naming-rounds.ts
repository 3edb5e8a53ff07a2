import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inFolder } from './incoming-folder.ts'
import { syncFolder } from './sync-folder.ts'

/** A complete file that waits for its name. */
interface Unnamed {
  readonly file: string
  readonly toName: (subfolder: string) => string
  readonly resolve: (name: string) => void
  readonly reject: (error: unknown) => void
}

/**
 * Gives files that are complete and on disk their names in one of 256 subfolders, and returns once the names are on disk,
 * too. Files that come while a subfolder is synced go into the next one together: so there is one sync for all of them,
 * not one for each.
 */
export class NamingRounds {
  readonly #folder: string
  readonly #sync: (folder: string) => Promise<void>
  #waiting: Unnamed[] = []
  #isRunning = false

  /** Takes the folder of the subfolders, both of which are made when they are needed, and what syncs a folder. */
  constructor(folder: string, sync = syncFolder) {
    this.#folder = folder
    this.#sync = sync
  }

  /** Moves the file to the name that it is to have in a subfolder, of two hexadecimal digits, and returns that name. */
  name(file: string, toName: (subfolder: string) => string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ file, toName, resolve, reject })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#nameTogether(this.#waiting.splice(0))
    this.#isRunning = false
  }

  async #nameTogether(files: readonly Unnamed[]): Promise<void> {
    const subfolder = randomBytes(1).toString('hex')
    const folder = join(this.#folder, subfolder)
    const moved: (Unnamed & { readonly name: string })[] = []
    const move = async (one: Unnamed) => {
      const name = one.toName(subfolder)
      try {
        const to = () => rename(one.file, join(folder, name))
        await inFolder(folder, to, () => this.#sync(this.#folder))
        moved.push({ ...one, name })
      } catch (error) {
        one.reject(error)
      }
    }
    await Promise.all(files.map(move))
    if (moved.length === 0) return
    try {
      await this.#sync(folder)
      for (const { resolve, name } of moved) resolve(name)
    } catch (error) {
      for (const { reject, name } of moved) {
        // Nobody was told of it. Where it can't be removed it is found as bytes that nobody uses.
        await rm(join(folder, name), { force: true }).catch(() => undefined)
        reject(error)
      }
    }
  }
}
