import { type DomainError, invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { tooMuchInTrash } from './archive-source.ts'

/** Bytes of memory that a character takes. */
const bytesPerCharacter = 2

/** What is read of the settings of a base, before it is known what they weigh in an archive: that is no less. */
export class SettingsRoom {
  #bytes = 0
  #deleted = 0

  /** Takes in a thing that lives. Throws validation_error where all are more than an archive holds. */
  take(thing: object): void {
    this.#bytes += bytesPerCharacter * JSON.stringify(thing).length
    if (this.#bytes > limits.archiveSettingsWeight) throw tooManySettings()
  }

  /** Takes in a thing that lies in the trash. Throws validation_error where the things are more than an archive holds. */
  takeDeleted(thing: object): void {
    this.#deleted++
    this.#bytes += bytesPerCharacter * JSON.stringify(thing).length
    const isTooMuch = this.#bytes > limits.archiveSettingsWeight
    if (isTooMuch || this.#deleted > limits.deletedThingsPerArchive) throw tooMuchInTrash()
  }
}

/** What is said where the settings of a base are more than an archive holds. */
export function tooManySettings(): DomainError {
  const most = limits.archiveSettingsWeight
  const message = `the settings of a base in an archive take ${most} bytes of memory at most`
  return invalidAt([], message)
}
