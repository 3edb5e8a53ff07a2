/** A storage that this program must not touch; the message is one sentence for who runs it. */
export class StorageRefusedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StorageRefusedError'
  }
}

/** A storage that a newer version of the product has written. */
export class NewerStorageError extends StorageRefusedError {
  constructor(found: number, known: number) {
    super(
      `The storage is at version ${found}, this program knows versions up to ${known}: use a newer program`,
    )
    this.name = 'NewerStorageError'
  }
}

/** A storage that other migrations have made than those of any version that was released. */
export class UnknownStorageError extends StorageRefusedError {
  constructor(migrationName: string) {
    super(
      `The storage was made by a version of the program that was not released (its migration ${migrationName} is another one): it can't be upgraded, and was left as it is`,
    )
    this.name = 'UnknownStorageError'
  }
}
