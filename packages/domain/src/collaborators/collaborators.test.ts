import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Action, isAtLeast, type Role, roles } from '../access/roles.ts'
import { limits } from '../limits.ts'

const hidden = { code: 'not_found' }
const refused = { code: 'restricted_resource' }

const principal = ({ userId }: Pick<Person, 'userId'>) => ({
  principalId: userId,
  principalType: 'user' as const,
})

describeOnEveryStorage('collaborators', (storage) => {
  let world: World
  let ada: Person
  let bob: Person
  let eve: Person
  let spaceId: string
  let baseId: string

  beforeEach(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
    eve = await world.newPerson('Eve')
    spaceId = ada.spaceId
    baseId = (await ada.api.bases.createBase({ spaceId, name: 'Plans' })).id
    world.clock.advance(1)
  })
  afterEach(() => world.close())

  const addToSpace = (person: Person, role: Role, by = ada) =>
    by.api.collaborators.addSpaceCollaborators({
      spaceId,
      collaborators: [principal(person)],
      role,
    })

  const addToBase = (person: Person, role: Role, by = ada) =>
    by.api.collaborators.addBaseCollaborators({
      baseId,
      collaborators: [principal(person)],
      role: role as never,
    })

  const inSpace = async () => {
    const { collaborators } = await ada.api.collaborators.listSpaceCollaborators({ spaceId })
    return Object.fromEntries(collaborators.map(({ userName, role }) => [userName, role]))
  }

  const inBase = async () => {
    const { collaborators } = await ada.api.collaborators.listBaseCollaborators({ baseId })
    return collaborators.map(({ userName, role, resourceType }) => [userName, role, resourceType])
  }

  const byToken = (person: Person, ...scopes: Action[]) =>
    world.engine.as({
      kind: 'token',
      userId: person.userId,
      tokenId: 'acc0000000000000000',
      scopes: new Set(scopes),
    })

  test('[COLLABORATOR-1] lists who has a role in a space, oldest first', async () => {
    await addToSpace(eve, 'editor')
    world.clock.advance(1)
    await addToSpace(bob, 'viewer')
    expect(await bob.api.collaborators.listSpaceCollaborators({ spaceId })).toEqual({
      collaborators: [
        {
          userId: ada.userId,
          userName: 'ada',
          email: 'ada@example.com',
          avatar: expect.stringMatching(/^data:image\/svg\+xml,/),
          role: 'owner',
          createdTime: '2026-01-01T00:00:00.000Z',
          resourceType: 'space',
        },
        expect.objectContaining({
          userId: eve.userId,
          role: 'editor',
          createdTime: '2026-01-01T00:00:00.001Z',
        }),
        expect.objectContaining({ userId: bob.userId, role: 'viewer' }),
      ],
      uniqTotal: 3,
      total: 3,
    })
    const stranger = await world.newPerson('Sam')
    for (const list of [
      () => stranger.api.collaborators.listSpaceCollaborators({ spaceId }),
      () => stranger.api.collaborators.listBaseCollaborators({ baseId }),
    ]) {
      await expect(list()).rejects.toMatchObject(hidden)
    }
  })

  test('[COLLABORATOR-2] lists those of the space with those of the base', async () => {
    await addToBase(bob, 'editor')
    world.clock.advance(1)
    await addToSpace(bob, 'viewer')
    world.clock.advance(1)
    await addToBase(eve, 'viewer')
    const page = await ada.api.collaborators.listBaseCollaborators({ baseId })
    expect(page.collaborators.map(({ userName }) => userName)).toEqual(['ada', 'bob', 'eve'])
    expect(page.total).toBe(3)
    expect(await inBase()).toEqual([
      ['ada', 'owner', 'space'],
      ['bob', 'viewer', 'space'],
      ['eve', 'viewer', 'base'],
    ])
    expect(await inSpace()).toEqual({ ada: 'owner', bob: 'viewer' })
  })

  test('[COLLABORATOR-3] searches and cuts the list', async () => {
    await addToSpace(bob, 'viewer')
    world.clock.advance(1)
    await addToSpace(eve, 'viewer')
    const list = async (input: { skip?: number; take?: number; search?: string }) => {
      const page = await ada.api.collaborators.listSpaceCollaborators({ spaceId, ...input })
      return [page.collaborators.map(({ userName }) => userName), page.total]
    }
    expect(await list({ search: ' BO' })).toEqual([['bob'], 1])
    expect(await list({ search: 'Example.COM', skip: 1, take: 1 })).toEqual([['bob'], 3])
    expect(await list({ skip: 3 })).toEqual([[], 3])
    expect(await list({ search: 'nobody' })).toEqual([[], 0])
    expect(await list({ type: 'user', includeSystem: true, includeBase: false } as object)).toEqual(
      [['ada', 'bob', 'eve'], 3],
    )
    for (const input of [{ type: 'department' }, { includeBase: true }, { orderBy: 'desc' }]) {
      await expect(list(input as object)).rejects.toMatchObject({ code: 'validation_error' })
    }
    await addToBase(await world.newPerson('Sam'), 'editor')
    const withRole = async (role: Role | Role[]) => {
      const page = await ada.api.collaborators.listBaseCollaborators({ baseId, role })
      return [page.collaborators.map(({ userName }) => userName), page.total]
    }
    expect(await withRole('editor')).toEqual([['sam'], 1])
    expect(await withRole(['owner', 'editor'])).toEqual([['ada', 'sam'], 2])
    for (const input of [{ take: 0 }, { take: 2001 }, { skip: -1 }, { take: 1.5 }]) {
      await expect(list(input)).rejects.toMatchObject({ code: 'validation_error' })
    }
  })

  test('[COLLABORATOR-4] keeps e-mail addresses from tokens without the scope', async () => {
    const scopes = ['space|read', 'base|read'] as const
    const without = byToken(ada, ...scopes).collaborators
    const { collaborators } = await without.listSpaceCollaborators({ spaceId })
    expect(collaborators).toEqual([expect.not.objectContaining({ email: expect.anything() })])
    const search = 'example'
    expect((await without.listSpaceCollaborators({ spaceId, search })).total).toBe(0)
    expect((await without.listBaseCollaborators({ baseId, search })).total).toBe(0)
    const withScope = byToken(ada, ...scopes, 'user|email_read').collaborators
    expect((await withScope.listSpaceCollaborators({ spaceId, search })).total).toBe(1)
  })

  test('[COLLABORATOR-5] [COLLABORATOR-9] gives no role above the own', async () => {
    for (const own of roles) {
      const giver = await world.newPerson(`giver-${own}`)
      await addToSpace(giver, own)
      for (const given of roles) {
        const person = await world.newPerson(`${own}-${given}`)
        const added = addToSpace(person, given, giver)
        if (isAtLeast(own, given)) await added
        else await expect(added).rejects.toMatchObject(refused)
        if (given === 'owner') continue
        const addedToBase = addToBase(person, given, giver)
        if (isAtLeast(own, given)) await addedToBase
        else await expect(addedToBase).rejects.toMatchObject(refused)
      }
    }
    await expect(
      byToken(ada, 'space|read').collaborators.addSpaceCollaborators({
        spaceId,
        collaborators: [principal(bob)],
        role: 'viewer',
      }),
    ).rejects.toMatchObject(refused)
    expect(await inSpace()).not.toHaveProperty('bob')
  })

  test('[COLLABORATOR-6] adds all or nobody', async () => {
    const add = (ids: string[]) =>
      ada.api.collaborators.addSpaceCollaborators({
        spaceId,
        collaborators: ids.map((userId) => principal({ userId })),
        role: 'viewer',
      })
    await expect(add([bob.userId, 'usrNobody', 'usrNone'])).rejects.toMatchObject({
      code: 'validation_error',
      data: {
        issues: [
          { path: ['collaborators', 1, 'principalId'] },
          { path: ['collaborators', 2, 'principalId'] },
        ],
      },
    })
    await expect(add([bob.userId, ada.userId])).rejects.toMatchObject({
      code: 'validation_error',
      data: { issues: [{ path: ['collaborators', 1, 'principalId'] }] },
    })
    await expect(add([])).rejects.toMatchObject({ code: 'validation_error' })
    expect(await inSpace()).toEqual({ ada: 'owner' })
    await add([bob.userId, eve.userId, bob.userId])
    expect(await inSpace()).toEqual({ ada: 'owner', bob: 'viewer', eve: 'viewer' })
  })

  test('[COLLABORATOR-16] invites nobody to a base who has a role there by its space', async () => {
    await addToSpace(bob, 'viewer')
    const { inviteToBase } = ada.api.collaborators
    const emails = [eve.email, bob.email]
    const message =
      'already has a role in this base through its space: change the role there instead'
    await expect(inviteToBase({ baseId, emails, role: 'editor' })).rejects.toMatchObject({
      code: 'validation_error',
      data: { issues: [{ path: ['emails', 1], message }] },
    })
    expect(await inBase()).toEqual([
      ['ada', 'owner', 'space'],
      ['bob', 'viewer', 'space'],
    ])
    await addToBase(bob, 'editor')
    expect(await bob.api.bases.getBase({ baseId })).toMatchObject({ role: 'editor' })
  })

  test('[COLLABORATOR-16] invites people who have an account by address, all or nobody', async () => {
    const { inviteToSpace, inviteToBase } = ada.api.collaborators
    expect(
      await inviteToSpace({ spaceId, emails: ['Bob@Example.com', eve.email], role: 'editor' }),
    ).toEqual({ 'Bob@Example.com': { userId: bob.userId }, [eve.email]: { userId: eve.userId } })
    expect(await inSpace()).toEqual({ ada: 'owner', bob: 'editor', eve: 'editor' })
    const sam = await world.newPerson('Sam')
    const invalidEmail = (index: number) => ({
      code: 'validation_error',
      data: { issues: [{ path: ['emails', index] }] },
    })
    const unknown = [sam.email, 'nobody@example.com']
    await expect(inviteToBase({ baseId, emails: unknown, role: 'viewer' })).rejects.toMatchObject(
      invalidEmail(1),
    )
    await expect(
      inviteToSpace({ spaceId, emails: [sam.email, bob.email], role: 'viewer' }),
    ).rejects.toMatchObject(invalidEmail(1))
    expect(await inSpace()).not.toHaveProperty('sam')
    await expect(
      bob.api.collaborators.inviteToSpace({ spaceId, emails: [sam.email], role: 'creator' }),
    ).rejects.toMatchObject(refused)
    await inviteToBase({ baseId, emails: [sam.email], role: 'viewer' })
    expect(await sam.api.bases.getBase({ baseId })).toMatchObject({ role: 'viewer' })
  })

  test('[COLLABORATOR-7] gives no ownership of a base', async () => {
    const refusal = { code: 'validation_error', data: { issues: [{ path: ['role'] }] } }
    await expect(addToBase(bob, 'owner')).rejects.toMatchObject(refusal)
    await addToBase(bob, 'creator')
    const role = 'owner' as never
    await expect(
      ada.api.collaborators.changeBaseCollaborator({ baseId, ...principal(bob), role }),
    ).rejects.toMatchObject(refusal)
  })

  test('[COLLABORATOR-8] lets owners and creators change and remove in a space', async () => {
    const sam = await world.newPerson('Sam')
    await addToSpace(bob, 'creator')
    await addToSpace(eve, 'viewer')
    await addToSpace(sam, 'editor')
    const target = { spaceId, ...principal(eve) }
    for (const change of [
      () => sam.api.collaborators.changeSpaceCollaborator({ ...target, role: 'viewer' }),
      () => sam.api.collaborators.removeSpaceCollaborator(target),
    ]) {
      await expect(change()).rejects.toMatchObject(refused)
    }
    await bob.api.collaborators.removeSpaceCollaborator({ spaceId, ...principal(sam) })
    await bob.api.collaborators.changeSpaceCollaborator({ ...target, role: 'editor' })
    expect(await inSpace()).toEqual({ ada: 'owner', bob: 'creator', eve: 'editor' })
    await ada.api.collaborators.removeSpaceCollaborator(target)
    expect(await inSpace()).toEqual({ ada: 'owner', bob: 'creator' })
  })

  test('[COLLABORATOR-8] [COLLABORATOR-9] lets creators change and remove in a base', async () => {
    const sam = await world.newPerson('Sam')
    await addToBase(bob, 'creator')
    await addToBase(eve, 'editor')
    await addToBase(sam, 'viewer')
    const change = (by: Person, person: Person, role: Role) =>
      by.api.collaborators.changeBaseCollaborator({
        baseId,
        ...principal(person),
        role: role as never,
      })
    const remove = (by: Person, person: Person) =>
      by.api.collaborators.removeBaseCollaborator({ baseId, ...principal(person) })
    await expect(change(eve, sam, 'editor')).rejects.toMatchObject(refused)
    await expect(remove(eve, sam)).rejects.toMatchObject(refused)
    await change(bob, sam, 'creator')
    await expect(change(bob, sam, 'viewer')).rejects.toMatchObject(refused)
    await expect(remove(bob, sam)).rejects.toMatchObject(refused)
    await remove(ada, sam)
    await addToBase(ada, 'viewer', bob)
    await expect(change(bob, ada, 'editor')).rejects.toMatchObject(refused)
    await expect(remove(bob, ada)).rejects.toMatchObject(refused)
    await change(ada, bob, 'viewer')
    expect(await inBase()).toEqual(
      expect.arrayContaining([
        ['ada', 'owner', 'space'],
        ['bob', 'viewer', 'base'],
        ['eve', 'editor', 'base'],
      ]),
    )
  })

  test('[COLLABORATOR-8] [COLLABORATOR-9] follows the roles of both sides', async () => {
    const matrix = roles.flatMap((own) => roles.map((theirs) => [own, theirs] as const))
    for (const [own, theirs] of matrix) {
      const by = await world.newPerson(`by-${own}-${theirs}`)
      const person = await world.newPerson(`of-${own}-${theirs}`)
      await addToSpace(by, own)
      await addToSpace(person, theirs)
      const target = { spaceId, ...principal(person) }
      const mayTouch = own === 'owner' || (own === 'creator' && !isAtLeast(theirs, own))
      for (const role of roles) {
        const changed = by.api.collaborators.changeSpaceCollaborator({ ...target, role })
        if (mayTouch && isAtLeast(own, role)) await changed
        else await expect(changed).rejects.toMatchObject(refused)
        if (mayTouch) {
          await ada.api.collaborators.changeSpaceCollaborator({ ...target, role: theirs })
        }
      }
      const removed = by.api.collaborators.removeSpaceCollaborator(target)
      if (mayTouch) await removed
      else await expect(removed).rejects.toMatchObject(refused)
    }
  })

  test('[COLLABORATOR-9] counts the role one has when the change is made', async () => {
    const events: string[] = []
    world.engine.subscribe(({ name, payload }) => {
      if ('resourceType' in payload && payload.resourceType === 'space') events.push(name)
    })
    const target = { spaceId, ...principal(bob) }
    await addToSpace(bob, 'owner')
    for (let round = 0; round < 10; round++) {
      const newcomer = await world.newPerson(`newcomer-${round}`)
      await ada.api.collaborators.changeSpaceCollaborator({ ...target, role: 'owner' })
      events.splice(0)
      const [, added] = await Promise.allSettled([
        ada.api.collaborators.changeSpaceCollaborator({ ...target, role: 'viewer' }),
        addToSpace(newcomer, 'owner', bob),
      ])
      const inOrder = ['collaborator.added', 'collaborator.updated']
      expect(events).toEqual(added.status === 'fulfilled' ? inOrder : inOrder.slice(1))
    }
  })

  test('[COLLABORATOR-10] lets everybody leave, tokens only with the scope', async () => {
    await addToSpace(bob, 'viewer')
    await addToBase(bob, 'viewer')
    const self = principal(bob)
    const reading = byToken(bob, 'space|read', 'base|read').collaborators
    await expect(reading.removeSpaceCollaborator({ spaceId, ...self })).rejects.toMatchObject(
      refused,
    )
    await expect(reading.removeBaseCollaborator({ baseId, ...self })).rejects.toMatchObject(refused)
    await bob.api.collaborators.removeSpaceCollaborator({ spaceId, ...self })
    expect(await inSpace()).toEqual({ ada: 'owner' })
    await bob.api.collaborators.removeBaseCollaborator({ baseId, ...self })
    expect(await inBase()).toEqual([['ada', 'owner', 'space']])
    await expect(
      bob.api.collaborators.removeBaseCollaborator({ baseId, ...self }),
    ).rejects.toMatchObject(hidden)
  })

  test('[COLLABORATOR-10] lets everybody lower their own role, and nobody raise it', async () => {
    await addToSpace(bob, 'editor')
    const self = { spaceId, ...principal(bob) }
    const reading = byToken(bob, 'space|read').collaborators
    await expect(
      reading.changeSpaceCollaborator({ ...self, role: 'viewer' }),
    ).rejects.toMatchObject(refused)
    await bob.api.collaborators.changeSpaceCollaborator({ ...self, role: 'commenter' })
    for (const role of ['editor', 'creator', 'owner'] as const) {
      const raised = bob.api.collaborators.changeSpaceCollaborator({ ...self, role })
      await expect(raised).rejects.toMatchObject(refused)
    }
    await addToBase(bob, 'viewer')
    await ada.api.collaborators.changeSpaceCollaborator({ ...self, role: 'creator' })
    const inThis = { baseId, ...principal(bob) }
    await expect(
      bob.api.collaborators.changeBaseCollaborator({ ...inThis, role: 'creator' }),
    ).rejects.toMatchObject(refused)
    await bob.api.collaborators.changeBaseCollaborator({ ...inThis, role: 'viewer' })
    await bob.api.collaborators.changeSpaceCollaborator({ ...self, role: 'viewer' })
    expect(await inSpace()).toEqual({ ada: 'owner', bob: 'viewer' })
  })

  test('[COLLABORATOR-11] keeps the last owner', async () => {
    const self = { spaceId, ...principal(ada) }
    const { changeSpaceCollaborator, removeSpaceCollaborator } = ada.api.collaborators
    await addToSpace(bob, 'creator')
    for (const change of [
      () => changeSpaceCollaborator({ ...self, role: 'creator' }),
      () => removeSpaceCollaborator(self),
    ]) {
      await expect(change()).rejects.toMatchObject(refused)
    }
    await changeSpaceCollaborator({ ...self, role: 'owner' })
    await changeSpaceCollaborator({ spaceId, ...principal(bob), role: 'owner' })
    await removeSpaceCollaborator(self)
    await expect(bob.api.spaces.getSpace({ spaceId })).resolves.toMatchObject({ role: 'owner' })
  })

  test('[COLLABORATOR-11] keeps an owner when two remove each other at one time', async () => {
    for (let round = 0; round < 10; round++) {
      const people = [ada, bob]
      await addToSpace(bob, 'owner')
      const outcomes = await Promise.allSettled([
        ada.api.collaborators.removeSpaceCollaborator({ spaceId, ...principal(bob) }),
        bob.api.collaborators.removeSpaceCollaborator({ spaceId, ...principal(ada) }),
      ])
      const survivors = outcomes.map(({ status }) => status)
      expect(survivors.toSorted()).toEqual(['fulfilled', 'rejected'])
      const left = people[survivors.indexOf('fulfilled')] as Person
      expect(await left.api.spaces.getSpace({ spaceId })).toMatchObject({ role: 'owner' })
      if (left === bob) await addToSpace(ada, 'owner', bob)
      if (left === bob)
        await ada.api.collaborators.removeSpaceCollaborator({ spaceId, ...principal(bob) })
    }
  })

  test('[COLLABORATOR-12] inherits roles downwards only', async () => {
    await addToSpace(bob, 'editor')
    await addToBase(eve, 'editor')
    expect(await bob.api.bases.getBase({ baseId })).toMatchObject({ role: 'editor' })
    await expect(eve.api.spaces.getSpace({ spaceId })).rejects.toMatchObject(hidden)
    const other = await ada.api.bases.createBase({ spaceId })
    await expect(eve.api.bases.getBase({ baseId: other.id })).rejects.toMatchObject(hidden)
    await addToBase(bob, 'viewer')
    await ada.api.collaborators.removeSpaceCollaborator({ spaceId, ...principal(bob) })
    expect(await bob.api.bases.getBase({ baseId })).toMatchObject({ role: 'viewer' })
    await expect(bob.api.bases.getBase({ baseId: other.id })).rejects.toMatchObject(hidden)
  })

  test('[COLLABORATOR-13] finds nobody who is not of the place itself', async () => {
    await addToSpace(bob, 'viewer')
    await addToBase(eve, 'viewer')
    const { collaborators } = ada.api
    for (const change of [
      () => collaborators.removeSpaceCollaborator({ spaceId, ...principal(eve) }),
      () => collaborators.changeSpaceCollaborator({ spaceId, ...principal(eve), role: 'editor' }),
      () => collaborators.removeBaseCollaborator({ baseId, ...principal(bob) }),
      () => collaborators.changeBaseCollaborator({ baseId, ...principal(bob), role: 'editor' }),
      () => bob.api.collaborators.removeBaseCollaborator({ baseId, ...principal(bob) }),
    ]) {
      await expect(change()).rejects.toMatchObject(hidden)
    }
  })

  test('[COLLABORATOR-14] tells what happened, and nothing of what did not', async () => {
    const events: unknown[] = []
    world.engine.subscribe(({ name, payload }) => events.push([name, payload]))
    await addToBase(bob, 'viewer')
    const target = { baseId, ...principal(bob) }
    await ada.api.collaborators.changeBaseCollaborator({ ...target, role: 'viewer' })
    await ada.api.collaborators.changeBaseCollaborator({ ...target, role: 'editor' })
    await ada.api.collaborators.removeBaseCollaborator(target)
    const payload = { resourceType: 'base', resourceId: baseId, userId: bob.userId }
    expect(events).toEqual([
      ['collaborator.added', payload],
      ['collaborator.updated', payload],
      ['collaborator.removed', payload],
    ])
  })

  test('[COLLABORATOR-15] [COLLABORATOR-3] refuses one more than there may be, and lists a hundred', async () => {
    const known = await Promise.all(
      Array.from({ length: limits.collaboratorsPerResource }, (_, index) =>
        world.engine.ensureUser({ name: `person-${index}` }),
      ),
    )
    const people = known.map(({ id: userId }) => ({ userId }))
    for (let from = 0; from < people.length; from += limits.collaboratorsPerRequest) {
      const collaborators = people.slice(from, from + limits.collaboratorsPerRequest).map(principal)
      await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'viewer' })
    }
    await expect(addToBase(bob, 'viewer')).rejects.toMatchObject({ code: 'validation_error' })
    const { total } = await ada.api.collaborators.listBaseCollaborators({ baseId, take: 1 })
    expect(total).toBe(limits.collaboratorsPerResource + 1)
    const page = await ada.api.collaborators.listBaseCollaborators({ baseId })
    expect(page.collaborators).toHaveLength(limits.collaboratorsPerPageDefault)
  })
})
