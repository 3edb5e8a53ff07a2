import type { Profile } from '@gateleg/domain/accounts/users/user-repository'

/**
 * Profiles that a transaction has read along with something else, or is about to read so, by the ids of their users: what its
 * caller makes or has made is shown with their name most often.
 */
export class ProfilesRead {
  readonly #profiles = new Map<string, Profile>()
  readonly #readings = new Map<string, Promise<unknown>>()

  /** Says that the profile of the user comes with what is read there, if at all. */
  expect(userId: string, reading: Promise<unknown>): void {
    this.#readings.set(userId, reading)
  }

  note(userId: string, profile: Profile): void {
    this.#profiles.set(userId, profile)
  }

  /** Says that it is no longer what was read. */
  forget(userId: string): void {
    this.#profiles.delete(userId)
  }

  /** The profiles of those of the users whose profiles were read; waits for those that come with something. */
  async find(userIds: readonly string[]): Promise<Map<string, Profile>> {
    const known = new Map<string, Profile>()
    for (const id of userIds) {
      const reading = this.#readings.get(id)
      // Where it fails, whoever asked for it hears why.
      if (reading) await reading.catch(() => {})
      const profile = this.#profiles.get(id)
      if (profile) known.set(id, profile)
    }
    return known
  }
}
