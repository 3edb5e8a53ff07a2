import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'

describeOnEveryStorage('spaces', (storage) => {
  let world: World
  let ada: Person
  let bob: Person

  beforeEach(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
  })
  afterEach(() => world.close())

  test('[SPACE-1] names a space, trims the name and numbers it when it is taken', async () => {
    const names: string[] = []
    for (const input of [{ name: '  Plans ' }, { name: 'Plans' }, { name: 'Plans 2' }, {}]) {
      names.push((await ada.api.spaces.createSpace(input)).name)
    }
    expect(names).toEqual(['Plans', 'Plans 2', 'Plans 3', 'Space'])
    expect((await bob.api.spaces.createSpace({ name: 'Plans' })).name).toBe('Plans')
  })

  test('[SPACE-1] numbers names that are taken at the same time', async () => {
    const creating = Array.from({ length: 8 }, () => ada.api.spaces.createSpace({ name: 'Plans' }))
    const names = (await Promise.all(creating)).map(({ name }) => name)
    expect(new Set(names).size).toBe(8)
  })

  test('[SPACE-1] refuses a blank name and one that is too long', async () => {
    for (const name of ['', '   ', 'x'.repeat(101)]) {
      await expect(ada.api.spaces.createSpace({ name })).rejects.toMatchObject({
        code: 'validation_error',
        data: { issues: [{ path: ['name'] }] },
      })
    }
  })

  test('[SPACE-2] [SPACE-3] lists my spaces with my role, oldest first', async () => {
    world.clock.advance(1)
    const { id } = await ada.api.spaces.createSpace({ name: 'Plans' })
    expect(await ada.api.spaces.listSpaces({})).toEqual([
      { id: ada.spaceId, name: "ada's space", role: 'owner' },
      { id, name: 'Plans', role: 'owner' },
    ])
  })

  test('[SPACE-4] [SPACE-6] renames, and counts a version only when something changed', async () => {
    const spaceId = ada.spaceId
    expect(await ada.api.spaces.renameSpace({ spaceId, name: 'Lab' })).toEqual({
      id: spaceId,
      name: 'Lab',
      version: 2,
    })
    for (const input of [{ spaceId }, { spaceId, name: 'Lab' }]) {
      expect((await ada.api.spaces.renameSpace(input)).version).toBe(2)
    }
  })

  test('[SPACE-7] refuses a space to a user who has created 1,000', async () => {
    expect(limits.spacesPerUser).toBe(1_000)
    await withLimits({ spacesPerUser: 4 }, async () => {
      const creating = Array.from({ length: 6 }, () => ada.api.spaces.createSpace({}))
      const outcomes = await Promise.allSettled(creating)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') continue
        expect(outcome.reason).toMatchObject({ code: 'restricted_resource' })
      }
    })
    expect(await ada.api.spaces.listSpaces({})).toHaveLength(4)
  })

  test('[SPACE-7] counts no spaces that others gave a role in, not even that of an owner', async () => {
    for (let made = 0; made < 3; made++) {
      const { id: spaceId } = await bob.api.spaces.createSpace({})
      const emails = [ada.email]
      await bob.api.collaborators.inviteToSpace({ spaceId, emails, role: 'owner' })
    }
    await withLimits({ spacesPerUser: 2 }, async () => {
      await ada.api.spaces.createSpace({})
      const refusal = { code: 'restricted_resource' }
      await expect(ada.api.spaces.createSpace({})).rejects.toMatchObject(refusal)
    })
    expect(await ada.api.spaces.listSpaces({})).toHaveLength(5)
  })

  test('[SPACE-5] hides the spaces of others and deleted ones alike', async () => {
    const spaceId = ada.spaceId
    const refusal = { code: 'not_found' }
    await expect(bob.api.spaces.getSpace({ spaceId })).rejects.toMatchObject(refusal)
    await expect(bob.api.spaces.renameSpace({ spaceId, name: 'x' })).rejects.toMatchObject(refusal)
    await ada.api.spaces.deleteSpace({ spaceId })
    await expect(ada.api.spaces.getSpace({ spaceId })).rejects.toMatchObject(refusal)
    await expect(ada.api.spaces.deleteSpace({ spaceId })).rejects.toMatchObject(refusal)
    expect(await ada.api.spaces.listSpaces({})).toEqual([])
  })
})
