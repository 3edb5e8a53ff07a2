import { waitForAll } from '../../structures/wait-for-all.ts'

/** Writes of a transaction that nobody waits for until its end. They must be of different records. */
export class WritesUnderWay {
  #settling: Promise<unknown> = Promise.resolve()

  /** Takes a write that has begun. */
  add(write: Promise<void>): void {
    this.#settling = waitForAll([this.#settling, write])
    // Whoever settles them hears of a failure.
    this.#settling.catch(() => {})
  }

  /** Waits for all of them, also where one has failed. Fails as the first in their order that failed. */
  async settle(): Promise<void> {
    await this.#settling
  }
}

/** Leaves a write that has begun to those under way; waits for it where there are none. */
export async function addOrAwait(
  writes: WritesUnderWay | undefined,
  write: Promise<void>,
): Promise<void> {
  if (writes) writes.add(write)
  else await write
}
