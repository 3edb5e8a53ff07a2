/** A storage that this program must not use; the message is one sentence for its operator. */
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

/** A storage that was not made by the migrations of any released version. */
export class UnknownStorageError extends StorageRefusedError {
  constructor(migrationName: string) {
    super(
      `The storage was made by a version of the program that was not released (its migration ${migrationName} is another one): it can't be upgraded, and was left as it is`,
    )
    this.name = 'UnknownStorageError'
  }
}
