import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Role } from '../access/roles.ts'
import { defaultCatalogue } from '../billing/default-catalogue.ts'
import { Plans } from '../billing/plans.ts'
import { purgeExpired } from '../jobs/purge-expired.ts'
import { limits } from '../limits.ts'
import { defaultSettings } from '../settings.ts'

const dayMs = 86_400_000
const hidden = { code: 'not_found' }
const refused = { code: 'restricted_resource' }
const publicUrl = 'https://tables.example.com'

interface Link {
  readonly invitationId: string
  readonly invitationCode?: string | undefined
}

describeOnEveryStorage('invitation links', (storage) => {
  let world: World
  let plans: Plans
  let ada: Person
  let bob: Person
  let spaceId: string
  let baseId: string
  let people = 0

  beforeAll(async () => {
    plans = new Plans()
    world = await openWorld(storage, { plans, settings: { ...defaultSettings, publicUrl } })
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
  })
  beforeEach(async () => {
    spaceId = (await ada.api.spaces.createSpace({})).id
    baseId = (await ada.api.bases.createBase({ spaceId })).id
  })
  afterAll(() => world.close())

  const someone = () => world.newPerson(`Person${++people}`)
  const make = (role: Role = 'editor', more: object = {}, { api } = ada) =>
    api.invitationLinks.createSpaceLink({ spaceId, role, ...more })
  const makeOfBase = (role: Exclude<Role, 'owner'> = 'editor') =>
    ada.api.invitationLinks.createBaseLink({ baseId, role })
  const accept = ({ api }: Person, { invitationId, invitationCode = '' }: Link) =>
    api.accounts.acceptInvitationLink({ invitationId, invitationCode })
  const list = ({ api }: Person = ada) => api.invitationLinks.listSpaceLinks({ spaceId })
  const give = (person: Person, role: Role) =>
    ada.api.collaborators.addSpaceCollaborators({
      ...{ spaceId, role },
      collaborators: [{ principalId: person.userId, principalType: 'user' }],
    })
  const roleOf = async ({ api }: Person) => (await api.spaces.getSpace({ spaceId })).role

  test('[INVITE-1] are refused to strangers, to weak roles, and in a role above the own', async () => {
    await expect(make('viewer', {}, bob)).rejects.toMatchObject(hidden)
    await expect(list(bob)).rejects.toMatchObject(hidden)
    await give(bob, 'editor')
    await expect(make('viewer', {}, bob)).rejects.toMatchObject(refused)
    await expect(list(bob)).rejects.toMatchObject(refused)
    const principal = { spaceId, principalId: bob.userId, principalType: 'user' } as const
    await ada.api.collaborators.changeSpaceCollaborator({ ...principal, role: 'creator' })
    await expect(make('owner', {}, bob)).rejects.toMatchObject(refused)
    const ofBase = bob.api.invitationLinks.createBaseLink({ baseId, role: 'owner' as never })
    await expect(ofBase).rejects.toMatchObject({ code: 'validation_error' })
    expect(await list()).toEqual([])
  })

  test('[INVITE-1] [INVITE-3] are made and listed, with who joined, and with the code for who may give the role', async () => {
    const made = await make('owner')
    expect(made).toEqual({
      invitationId: expect.stringMatching(/^inv/),
      role: 'owner',
      inviteUrl: `${publicUrl}/#invitation=${made.invitationId}.${made.invitationCode}`,
      invitationCode: expect.stringMatching(/^[0-9a-f]{40}$/),
      createdBy: ada.userId,
      createdTime: expect.any(String),
      expiresTime: expect.any(String),
      joined: 0,
    })
    await give(bob, 'creator')
    world.clock.advance(1)
    const weaker = await make('creator', {}, bob)
    await accept(await someone(), weaker)
    expect(await list()).toEqual([made, { ...weaker, joined: 1 }])
    const { inviteUrl: _url, invitationCode: _code, ...shown } = made
    expect(await list(bob)).toEqual([shown, { ...weaker, joined: 1 }])
    const stored = await world.engine.store.write((tx) =>
      tx.invitationLinks.find(made.invitationId),
    )
    expect(JSON.stringify(stored)).not.toContain(made.invitationCode)
  })

  test('[INVITE-2] [INVITE-11] are good for seven days, or as long as was said, and then removed', async () => {
    const { createdTime, expiresTime, ...short } = await make()
    expect(Date.parse(expiresTime) - Date.parse(createdTime)).toBe(7 * dayMs)
    const at = (days: number) => new Date(world.clock.now() + days * dayMs).toISOString()
    for (const wrong of [at(0), at(90.001)]) {
      const refusal = { data: { issues: [{ path: ['expiresTime'] }] } }
      await expect(make('viewer', { expiresTime: wrong })).rejects.toMatchObject(refusal)
    }
    const long = await make('viewer', { expiresTime: at(90) })
    const late = await someone()
    world.clock.advance(7 * dayMs)
    await expect(accept(late, short)).rejects.toMatchObject(hidden)
    expect(await list()).toEqual([long])
    const find = () => world.engine.store.write((tx) => tx.invitationLinks.find(short.invitationId))
    expect(await find()).toBeDefined()
    world.clock.advance(1)
    await world.engine.store.write((tx) =>
      purgeExpired.run({ tx, nowMs: world.clock.now(), jobId: 'job' } as never),
    )
    expect(await find()).toBeUndefined()
    await accept(late, long)
  })

  test('[INVITE-4] let several join, leave roles as they are, and may be accepted again', async () => {
    const [cleo, dan] = [await someone(), await someone()]
    const link = await make('viewer')
    expect(await accept(cleo, link)).toEqual({ spaceId })
    await Promise.all([1, 2, 3].map(() => accept(dan, link)))
    await give(bob, 'creator')
    expect(await accept(bob, await makeOfBase())).toEqual({ spaceId, baseId })
    expect(await accept(bob, link)).toEqual({ spaceId })
    expect(await Promise.all([cleo, dan, bob].map(roleOf))).toEqual(['viewer', 'viewer', 'creator'])
    expect(await list()).toMatchObject([{ joined: 2 }])
    expect(await ada.api.invitationLinks.listBaseLinks({ baseId })).toMatchObject([{ joined: 0 }])
    const token = { kind: 'token', userId: bob.userId, tokenId: 'acc', scopes: new Set() } as const
    const { invitationId, invitationCode = '' } = link
    const byToken = world.engine.as(token).accounts.acceptInvitationLink
    await expect(byToken({ invitationId, invitationCode })).rejects.toMatchObject(refused)
  })

  test('[INVITE-5] let nobody in with another code, or when who made them may not invite any more', async () => {
    await give(bob, 'creator')
    const [link, other] = [await make('viewer', {}, bob), await make()]
    const cleo = await someone()
    const { invitationId } = link
    for (const invitationCode of ['', 'x', other.invitationCode, link.invitationCode?.slice(1)]) {
      await expect(accept(cleo, { invitationId, invitationCode })).rejects.toMatchObject(hidden)
    }
    const principal = { spaceId, principalId: bob.userId, principalType: 'user' } as const
    await ada.api.collaborators.changeSpaceCollaborator({ ...principal, role: 'editor' })
    await expect(accept(cleo, link)).rejects.toMatchObject(hidden)
    await ada.api.collaborators.removeSpaceCollaborator(principal)
    await expect(accept(cleo, link)).rejects.toMatchObject(hidden)
    await accept(cleo, other)
  })

  test('[INVITE-5] [INVITE-11] end with their place', async () => {
    const cleo = await someone()
    const { api } = ada
    const { id: doomed } = await api.bases.createBase({ spaceId })
    const ofDoomed = await api.invitationLinks.createBaseLink({ baseId: doomed, role: 'viewer' })
    const [ofBase, ofSpace] = [await makeOfBase(), await make()]
    await api.bases.deleteBase({ baseId })
    await api.bases.deleteBasePermanently({ baseId: doomed })
    await api.spaces.deleteSpace({ spaceId })
    for (const link of [ofDoomed, ofBase, ofSpace]) {
      await expect(accept(cleo, link)).rejects.toMatchObject(hidden)
      const find = world.engine.store.write((tx) => tx.invitationLinks.find(link.invitationId))
      expect(await find).toBeUndefined()
    }
  })

  test('[INVITE-20] to a base end with its space, and stay away when that is restored', async () => {
    const cleo = await someone()
    const { api } = ada
    const link = await makeOfBase()
    await api.spaces.deleteSpace({ spaceId })
    const { trashItems } = await api.trash.listTrash({ resourceType: 'space' })
    const entry = trashItems.find(({ resourceId }) => resourceId === spaceId)
    await api.trash.restoreTrash({ trashId: entry?.id ?? '' })
    await expect(accept(cleo, link)).rejects.toMatchObject(hidden)
    expect(await api.invitationLinks.listBaseLinks({ baseId })).toEqual([])
  })

  test('[INVITE-6] are revoked by who made them, and by who may withdraw invitations', async () => {
    const [cleo, dan] = [await someone(), await someone()]
    await give(bob, 'creator')
    await give(cleo, 'creator')
    const equal = await make('creator')
    const weak = await make('viewer')
    const own = await make('creator', {}, bob)
    const revoke = ({ api }: Person, { invitationId }: Link) =>
      api.invitationLinks.revokeSpaceLink({ spaceId, invitationId })
    await expect(revoke(bob, equal)).rejects.toMatchObject(refused)
    await expect(revoke(cleo, own)).rejects.toMatchObject(refused)
    const elsewhere = { baseId, invitationId: weak.invitationId }
    const { revokeBaseLink, changeBaseLink } = ada.api.invitationLinks
    await expect(revokeBaseLink(elsewhere)).rejects.toMatchObject(hidden)
    await expect(changeBaseLink({ ...elsewhere, role: 'viewer' })).rejects.toMatchObject(hidden)
    await revoke(bob, weak)
    await revoke(bob, own)
    await expect(revoke(bob, own)).rejects.toMatchObject(hidden)
    await expect(accept(dan, weak)).rejects.toMatchObject(hidden)
    expect(await list()).toEqual([equal])
  })

  test('[INVITE-6] [INVITE-7] get another role, which both who changes and who made them may give', async () => {
    await give(bob, 'creator')
    const { invitationId } = await make('viewer', {}, bob)
    const change = ({ api }: Person, role: Role) =>
      api.invitationLinks.changeSpaceLink({ spaceId, invitationId, role })
    await expect(change(bob, 'owner')).rejects.toMatchObject(refused)
    await expect(change(ada, 'owner')).rejects.toMatchObject(refused)
    const changed = await change(ada, 'commenter')
    expect(changed).toMatchObject({ invitationId, role: 'commenter' })
    expect(await list()).toEqual([changed])
    const dan = await someone()
    await accept(dan, changed)
    expect(await roleOf(dan)).toBe('commenter')
    const { invitationId: ofBase } = await makeOfBase()
    const { changeBaseLink } = ada.api.invitationLinks
    await changeBaseLink({ baseId, invitationId: ofBase, role: 'creator' })
    expect(await ada.api.invitationLinks.listBaseLinks({ baseId })).toMatchObject([
      { role: 'creator' },
    ])
  })

  test('[INVITE-7] get no other role once who made them may not invite by links any more', async () => {
    await give(bob, 'creator')
    const link = await make('viewer', {}, bob)
    await ada.api.collaborators.changeSpaceCollaborator({
      ...{ spaceId, role: 'editor' },
      ...{ principalId: bob.userId, principalType: 'user' },
    })
    for (const { api } of [ada, bob]) {
      const change = api.invitationLinks.changeSpaceLink({
        ...{ spaceId, invitationId: link.invitationId, role: 'commenter' },
      })
      await expect(change).rejects.toMatchObject(refused)
    }
    expect(await list()).toEqual([link])
  })

  test('[INVITE-12] give no stronger role to who knew their code before', async () => {
    const weak = await make('viewer')
    const change = (role: Role) =>
      ada.api.invitationLinks.changeSpaceLink({ spaceId, invitationId: weak.invitationId, role })
    await give(bob, 'creator')
    const [known] = await list(bob)
    const strong = await change('owner')
    const [cleo, dan, eve] = [await someone(), await someone(), await someone()]
    expect(known?.invitationCode).toBe(weak.invitationCode)
    await expect(accept(cleo, known as Link)).rejects.toMatchObject(hidden)
    await accept(dan, strong)
    expect(await roleOf(dan)).toBe('owner')
    // Lowered, it takes what was passed on meanwhile, too.
    expect(await change('viewer')).toEqual({ ...weak, joined: 1 })
    await accept(cleo, weak)
    await accept(eve, strong)
    expect(await Promise.all([cleo, eve].map(roleOf))).toEqual(['viewer', 'viewer'])
  })

  test('[INVITE-8] are so many to a place, made at once or not', async () => {
    await withLimits({ invitationLinksPerResource: 2 }, async () => {
      const results = await Promise.allSettled([1, 2, 3, 4].map(() => make()))
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      const refusal = { code: 'validation_error', data: { issues: [{ path: ['spaceId'] }] } }
      await expect(make()).rejects.toMatchObject(refusal)
      await makeOfBase()
    })
  })

  test('[INVITE-9] let in as many as the level and the place have room for', async () => {
    const link = await make()
    const cleo = await someone()
    await withLimits({ collaboratorsPerResource: 1 }, async () => {
      await expect(accept(cleo, link)).rejects.toMatchObject({ code: 'validation_error' })
    })
    const baseProducts = defaultCatalogue.baseProducts.map((product) => ({
      ...product,
      limit: { ...product.limit, maxCollaborators: 1 },
    }))
    plans.replace({ ...defaultCatalogue, baseProducts })
    try {
      await expect(accept(cleo, link)).rejects.toMatchObject({ code: 'payment_required' })
    } finally {
      plans.replace(defaultCatalogue)
    }
    expect(await list()).toMatchObject([{ joined: 0 }])
    await accept(cleo, link)
  })

  test('[INVITE-10] are tried so often by a user', async () => {
    const cleo = await someone()
    const link = await make()
    const wrong = { ...link, invitationCode: 'wrong' }
    await withLimits({ invitationLinkTries: 2 }, async () => {
      await expect(accept(cleo, wrong)).rejects.toMatchObject(hidden)
      await expect(accept(cleo, wrong)).rejects.toMatchObject(hidden)
      await expect(accept(cleo, link)).rejects.toMatchObject({ code: 'too_many_requests' })
      world.clock.advance(limits.invitationLinkMinutes * 60_000)
      await accept(cleo, link)
    })
  })
})
