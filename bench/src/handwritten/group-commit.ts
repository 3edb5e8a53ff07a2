import type Database from 'better-sqlite3'

interface Waiting {
  readonly work: () => void
  readonly done: () => void
}

/** Runs what arrived together in one transaction, and answers when it is on disk. */
export class GroupCommit {
  readonly #runAll: (waiting: readonly Waiting[]) => void
  #waiting: Waiting[] = []

  constructor(database: Database.Database) {
    this.#runAll = database.transaction((waiting: readonly Waiting[]) => {
      for (const { work } of waiting) work()
    })
  }

  run<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      let value: T
      this.#waiting.push({
        work: () => {
          value = work()
        },
        done: () => resolve(value),
      })
      if (this.#waiting.length === 1) setImmediate(() => this.#flush())
    })
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#runAll(waiting)
    for (const { done } of waiting) done()
  }
}
