import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'

const principal = ({ userId }: Person) => ({
  principalId: userId,
  principalType: 'user' as const,
})

describeOnEveryStorage('spaces and bases that others give a role in', (storage) => {
  let world: World
  let ada: Person
  let bob: Person
  let eve: Person
  let spaceId: string

  beforeEach(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
    eve = await world.newPerson('Eve')
    spaceId = ada.spaceId
  })
  afterEach(() => world.close())

  const addToSpace = (person: Person) =>
    ada.api.collaborators.addSpaceCollaborators({
      spaceId,
      collaborators: [principal(person)],
      role: 'viewer',
    })

  test('[COLLABORATOR-29] gives nobody a role in a space who is in too many of others', async () => {
    expect(limits.spacesJoined).toBe(1_000)
    const added = await ada.api.spaces.createSpace({ name: 'One' })
    await ada.api.collaborators.inviteToSpace({
      spaceId: added.id,
      emails: [bob.email],
      role: 'owner',
    })
    await bob.api.spaces.createSpace({})
    const refusal = (...path: (string | number)[]) => ({
      code: 'validation_error',
      data: {
        issues: [
          {
            path,
            message:
              'belongs to somebody who has a role in too many spaces: they have to leave one first',
          },
        ],
      },
    })
    await withLimits({ spacesJoined: 1 }, async () => {
      const emails = [eve.email, bob.email]
      const invited = ada.api.collaborators.inviteToSpace({ spaceId, emails, role: 'viewer' })
      await expect(invited).rejects.toMatchObject(refusal('emails', 1))
      const byId = addToSpace(bob)
      await expect(byId).rejects.toMatchObject(refusal('collaborators', 0, 'principalId'))
      const { total } = await ada.api.collaborators.listSpaceCollaborators({ spaceId })
      expect(total).toBe(1)
      const { id: baseId } = await ada.api.bases.createBase({ spaceId })
      await ada.api.collaborators.inviteToBase({ baseId, emails: [bob.email], role: 'viewer' })
      await bob.api.collaborators.removeSpaceCollaborator({
        spaceId: added.id,
        ...principal(bob),
      })
      await addToSpace(bob)
    })
    await withLimits({ spacesJoined: 2 }, async () => {
      const [two, three] = [
        await ada.api.spaces.createSpace({ name: 'Two' }),
        await ada.api.spaces.createSpace({ name: 'Three' }),
      ]
      const emails = [bob.email]
      const add = ({ id }: { readonly id: string }) =>
        ada.api.collaborators.inviteToSpace({ spaceId: id, emails, role: 'viewer' })
      await add(two)
      await expect(add(three)).rejects.toMatchObject(refusal('emails', 0))
      await ada.api.spaces.deleteSpace({ spaceId: two.id })
      await add(three)
    })
  })

  test('[COLLABORATOR-30] gives nobody a role in a base who is in too many of others', async () => {
    expect(limits.basesJoined).toBe(1_000)
    const [one, two, three] = [
      await ada.api.bases.createBase({ spaceId, name: 'One' }),
      await ada.api.bases.createBase({ spaceId, name: 'Two' }),
      await ada.api.bases.createBase({ spaceId, name: 'Three' }),
    ]
    const invite = ({ id: baseId }: { readonly id: string }) =>
      ada.api.collaborators.inviteToBase({ baseId, emails: [bob.email], role: 'viewer' })
    await bob.api.bases.createBase({ spaceId: bob.spaceId })
    const refused = (...path: (string | number)[]) => ({
      code: 'validation_error',
      data: {
        issues: [
          {
            path,
            message:
              'belongs to somebody who has a role in too many bases: they have to leave one first',
          },
        ],
      },
    })
    await withLimits({ basesJoined: 1 }, async () => {
      await invite(one)
      await expect(invite(two)).rejects.toMatchObject(refused('emails', 0))
      const added = ada.api.collaborators.addBaseCollaborators({
        baseId: two.id,
        collaborators: [principal(bob)],
        role: 'viewer',
      })
      await expect(added).rejects.toMatchObject(refused('collaborators', 0, 'principalId'))
      const { total } = await ada.api.collaborators.listBaseCollaborators({ baseId: two.id })
      expect(total).toBe(1)
      await addToSpace(eve)
      await ada.api.bases.deleteBase({ baseId: one.id })
      await invite(two)
      await expect(invite(three)).rejects.toMatchObject(refused('emails', 0))
    })
  })

  test('[BASE-57] lists so many spaces alone, however many come back from the trash', async () => {
    expect(limits.spacesPerList).toBe(3_000)
    const { spaces, collaborators, trash } = ada.api
    await withLimits({ spacesJoined: 1 }, async () => {
      for (const name of ['One', 'Two', 'Three']) {
        world.clock.advance(1_000)
        const { id } = await spaces.createSpace({ name })
        await collaborators.inviteToSpace({ spaceId: id, emails: [bob.email], role: 'owner' })
        await spaces.deleteSpace({ spaceId: id })
      }
    })
    world.clock.advance(1_000)
    await bob.api.spaces.createSpace({ name: 'Own' })
    const { trashItems } = await trash.listTrash({ resourceType: 'space' })
    for (const { id: trashId } of trashItems) await trash.restoreTrash({ trashId })
    const list = (spacesPerList: number) =>
      withLimits({ spacesPerList }, async () => {
        const listed = await bob.api.spaces.listSpaces({})
        return listed.map(({ id, name }) => (id === bob.spaceId ? 'First' : name))
      })
    expect(await list(9)).toEqual(['First', 'One', 'Two', 'Three', 'Own'])
    expect(await list(4)).toEqual(['First', 'One', 'Two', 'Own'])
    expect(await list(2)).toEqual(['First', 'Own'])
    await withLimits({ spacesPerList: 2, spacesPerUser: 2 }, async () => {
      const refused = { code: 'restricted_resource' }
      await expect(bob.api.spaces.createSpace({})).rejects.toMatchObject(refused)
    })
  })
})
