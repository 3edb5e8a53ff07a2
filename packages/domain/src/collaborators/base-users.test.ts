import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld } from '@gateleg/testing/worlds/world'
import { expect, test } from 'vitest'

describeOnEveryStorage('the users of a base', (storage) => {
  test('[COLLABORATOR-31] are listed once each, to those who may read it, searched and cut', async () => {
    const world = await openWorld(storage)
    try {
      const [ada, bob, eve] = [
        await world.newPerson('Ada'),
        await world.newPerson('Bob'),
        await world.newPerson('Eve'),
      ]
      const { spaceId } = ada
      const { id: baseId } = await ada.api.bases.createBase({ spaceId, name: 'Plans' })
      const list = (more: object = {}, { api } = ada) =>
        api.collaborators.listBaseUsers({ baseId, ...more })
      await expect(list({}, bob)).rejects.toMatchObject({ code: 'not_found' })
      await expect(list({ orderBy: 'desc' })).rejects.toMatchObject({ code: 'validation_error' })
      const principal = { principalId: bob.userId, principalType: 'user' } as const
      const given = { collaborators: [principal], role: 'viewer' as const }
      world.clock.advance(1)
      await ada.api.collaborators.addBaseCollaborators({ baseId, ...given })
      await ada.api.collaborators.addSpaceCollaborators({ spaceId, ...given })
      const { collaborators } = await ada.api.collaborators.listBaseCollaborators({ baseId })
      const users = collaborators.map(({ userId, userName, email, avatar }) => ({
        ...{ id: userId, name: userName, email, avatar },
      }))
      expect(users.map(({ id }) => id)).toEqual([ada.userId, bob.userId])
      expect(await list({}, bob)).toEqual({ users, total: 2 })
      expect(await list({ search: ' BO' })).toEqual({ users: users.slice(1), total: 1 })
      expect(await list({ skip: 1, take: 1 })).toEqual({ users: users.slice(1), total: 2 })
      await expect(list({}, eve)).rejects.toMatchObject({ code: 'not_found' })
      const { token } = await ada.api.accessTokens.createToken({
        ...{ name: 'Pick', scopes: ['base|read'], baseIds: [baseId], expiredTime: '2999-12-31' },
      })
      const program = world.engine.as((await world.engine.authenticate(token)) as never)
      const withoutEmail = await program.collaborators.listBaseUsers({ baseId })
      expect(withoutEmail.users.map(({ email }) => email)).toEqual([undefined, undefined])
    } finally {
      await world.close()
    }
  })
})
