import type { Api } from '@gateleg/domain/api'
import { expect } from 'vitest'
import { FixedClock } from '../doubles/fixed-clock.ts'
import type { TestEngine, TestPorts, TestStorage } from '../test-engine.ts'

/** A user of a test world, with all operations called as them. */
export interface Person {
  readonly userId: string
  readonly email: string
  readonly api: Api
  /** The space that sign-up made. */
  readonly spaceId: string
  /** The token of the session that sign-up opened. */
  readonly accessToken: string
}

/** An engine on an empty storage, a clock that stands still, and a way to get users. */
export interface World {
  readonly engine: TestEngine
  readonly clock: FixedClock
  /** Signs a new user up; the first one of a world is its administrator. */
  newPerson(name: string): Promise<Person>
  close(): Promise<void>
}

/** How a person is shown in cells. */
export function shownUser(person: Pick<Person, 'userId' | 'email'>, title: string): object {
  const { userId: id, email } = person
  return { id, title, email, avatarUrl: expect.stringMatching(/^data:image\/svg\+xml,/) }
}

/** The password of every person of a test world. */
export const testPassword = 'correct horse 1'

/** Opens a world on a storage. Close it at the end of the test. */
export async function openWorld(storage: TestStorage, ports: TestPorts = {}): Promise<World> {
  const clock = new FixedClock()
  const engine = await storage.open({ clock, ...ports })
  return {
    engine,
    clock,
    newPerson: async (name) => {
      const email = `${name.toLowerCase()}@example.com`
      const user = await engine.public.accounts.signUp({ email, password: testPassword })
      const api = engine.as({ userId: user.id })
      const [space] = await api.spaces.listSpaces({})
      return {
        userId: user.id,
        email,
        api,
        spaceId: space?.id ?? '',
        accessToken: user.accessToken,
      }
    },
    close: () => engine.close(),
  }
}
