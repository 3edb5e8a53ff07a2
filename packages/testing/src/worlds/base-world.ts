import type { Api } from '@gateleg/domain/api'
import type { DomainEvent } from '@gateleg/domain/events/event'
import { expect } from 'vitest'
import type { TestPorts, TestStorage } from '../test-engine.ts'
import { openWorld, type Person, type World } from './world.ts'

/** A world with Ada, who owns an empty base. */
export interface BaseWorld extends World {
  readonly ada: Person
  /** All operations, called as Ada. */
  readonly api: Api
  readonly baseId: string
  /** Signs somebody up who has a role in the base. */
  newCollaborator(
    name: string,
    role: 'creator' | 'editor' | 'commenter' | 'viewer',
  ): Promise<Person>
  /** The events that the call causes, in their order: name, user and payload. */
  heard(call: () => Promise<unknown>): Promise<readonly object[]>
  /** Fails unless the call is refused so, and leaves all that is stored of the base as it was. */
  expectNoTrace(call: () => Promise<unknown>, refusal: object): Promise<void>
}

/** Opens a world with a base. Close it at the end of the tests. */
export async function openBaseWorld(
  storage: TestStorage,
  ports: TestPorts = {},
): Promise<BaseWorld> {
  const world = await openWorld(storage, ports)
  const ada = await world.newPerson('Ada')
  const { api, spaceId } = ada
  const { id: baseId } = await api.bases.createBase({ spaceId })
  return {
    ...world,
    ada,
    api,
    baseId,
    newCollaborator: async (name, role) => {
      const person = await world.newPerson(name)
      const collaborators = [{ principalId: person.userId, principalType: 'user' as const }]
      await api.collaborators.addBaseCollaborators({ baseId, collaborators, role })
      return person
    },
    heard: async (call) => {
      const events: DomainEvent[] = []
      const stop = world.engine.subscribe((event) => events.push(event))
      await call()
      stop()
      return events.map(({ name, userId, payload }) => ({ name, userId, ...payload }))
    },
    expectNoTrace: async (call, refusal) => {
      const before = await api.bases.verifyBase({ baseId })
      await expect(call()).rejects.toMatchObject(refusal)
      expect(await api.bases.verifyBase({ baseId })).toEqual(before)
    },
  }
}

/** What `validation_error` at a place of the input looks like. */
export function invalidAt(...path: readonly (string | number)[]): object {
  return { code: 'validation_error', data: { issues: [{ path, message: expect.any(String) }] } }
}
