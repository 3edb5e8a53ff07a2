import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('the last owner of a space', (storage) => {
  let world: World
  let ada: Person
  let bob: Person
  let cleo: Person

  beforeEach(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
    cleo = await world.newPerson('Cleo')
  })
  afterEach(() => world.close())

  const principal = ({ userId: principalId }: Person) => ({
    ...{ principalId, principalType: 'user' as const },
  })

  /** Holds what the end of Bob's account removes late, so that others have their turn while it is under way. */
  async function holdToken(): Promise<{
    readonly letGo: () => void
    readonly ended: Promise<void>
  }> {
    const { id } = await bob.api.accessTokens.createToken({
      ...{ name: 'T', scopes: ['space|read'], expiredTime: '2999-01-01', hasFullAccess: true },
    })
    const held = Promise.withResolvers<void>()
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    const ended = world.engine.store.write(async (tx) => {
      await tx.accessTokens.find(id, 'update')
      held.resolve()
      await promise
    })
    await held.promise
    return { letGo, ended }
  }

  const soon = () => new Promise((resolve) => setTimeout(resolve, 300))

  test('[COLLABORATOR-11] is nobody whose account ends while they become one', async () => {
    const { api, spaceId } = ada
    const add = { collaborators: [principal(bob), principal(cleo)], role: 'editor' as const }
    await api.collaborators.addSpaceCollaborators({ spaceId, ...add })
    const { letGo, ended } = await holdToken()
    const ending = bob.api.accounts.deleteAccount({ password: testPassword })
    await soon()
    const handing = api.collaborators
      .changeSpaceCollaborator({ spaceId, ...principal(bob), role: 'owner' })
      .then(() => api.collaborators.removeSpaceCollaborator({ spaceId, ...principal(ada) }))
    const outcomes = Promise.allSettled([ending, handing])
    await soon()
    letGo()
    await ended
    // Which of the two is first is the storage's to say.
    const [end, handed] = await outcomes
    const { collaborators } = await cleo.api.collaborators.listSpaceCollaborators({ spaceId })
    const owners = collaborators.filter(({ role }) => role === 'owner').map((one) => one.userId)
    if (end?.status === 'fulfilled') {
      expect(handed).toMatchObject({ reason: { code: 'not_found' } })
      expect(owners).toEqual([ada.userId])
    } else {
      expect(end).toMatchObject({ reason: { code: 'validation_error' } })
      expect(owners).toEqual([bob.userId])
    }
  })
})
