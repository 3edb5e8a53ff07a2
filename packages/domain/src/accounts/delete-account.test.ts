import { KeptMail } from '@gateleg/testing/doubles/kept-mail'
import { codeOf, SayingOpenIdClient, stateOf } from '@gateleg/testing/doubles/saying-open-id-client'
import { openIdConfig } from '@gateleg/testing/factories/open-id-config'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { defaultSettings } from '../settings.ts'

const password = testPassword
const minuteMs = 60_000
const publicUrl = 'https://gateleg.example'
const settings = { ...defaultSettings, publicUrl }

describeOnEveryStorage('the end of an account', (storage) => {
  const openIdClient = new SayingOpenIdClient()
  const mail = { mailer: new KeptMail(), publicUrl }
  const world = worldOfBlock(() => openTableWorld(storage, { openIdClient, settings, mail }))
  let bob: Person
  let people = 0

  beforeEach(async () => {
    bob = await world.newPerson(`Bob${people++}`)
  })

  const end = ({ api }: Person) => api.accounts.deleteAccount({ password })
  const isThere = async ({ api }: Person) => {
    const answer = api.accounts.getMe({})
    return answer.then(
      () => true,
      ({ code }) => code,
    )
  }
  const addTo = (spaceId: string, role: 'owner' | 'viewer', { userId }: Person, by: Person) =>
    by.api.collaborators.addSpaceCollaborators({
      ...{ spaceId, role },
      collaborators: [{ principalId: userId, principalType: 'user' }],
    })
  const newMember = () => world.newCollaborator(`Member${people++}`, 'editor')

  test('[ACCOUNT-50] takes the password, and counts a wrong one as a failed sign-in', async () => {
    await expect(bob.api.accounts.deleteAccount({})).rejects.toMatchObject({
      code: 'validation_error',
      data: { issues: [expect.objectContaining({ path: ['password'] })] },
    })
    const guess = () => bob.api.accounts.deleteAccount({ password: 'wrong horse 1' })
    for (let n = 0; n < limits.signInFailuresPerAccount; n++) {
      await expect(guess()).rejects.toMatchObject({ code: 'invalid_credentials' })
    }
    await expect(end(bob)).rejects.toMatchObject({ code: 'too_many_requests' })
    expect(await isThere(bob)).toBe(true)
  })

  test('[ACCOUNT-50] takes no access token', async () => {
    const { token } = await bob.api.accessTokens.createToken({
      ...{ name: 'All', scopes: ['space|read'], hasFullAccess: true, expiredTime: '2999-01-01' },
    })
    const actor = await world.engine.authenticate(token)
    const { accounts } = world.engine.as(actor ?? { userId: '' })
    await expect(accounts.deleteAccount({ password })).rejects.toMatchObject({
      code: 'restricted_resource',
    })
  })

  test('[ACCOUNT-50] takes a session of the last ten minutes where there is no password', async () => {
    const { spaceId, loginProviders } = { ...bob, ...bob.api }
    const { id: providerId } = await loginProviders.createLoginProvider({
      ...{ spaceId, type: 'oidc', name: 'City account', config: openIdConfig },
    })
    const signIn = async () => {
      const { startSignIn, finishSignIn } = world.engine.public.identities
      const { url, flow } = await startSignIn({ providerId })
      const email = `cy${people}@provider.example`
      const code = codeOf({ subject: 'cy', email, isEmailVerified: true })
      const answer = await finishSignIn({ providerId, flow, state: stateOf(url), code })
      const actor = await world.engine.authenticate(answer.accessToken ?? '')
      return world.engine.as(actor ?? { userId: '' })
    }
    const { accounts } = await signIn()
    world.clock.advance(limits.freshSessionMinutes * minuteMs)
    const refusal = { code: 'restricted_resource', message: expect.stringMatching(/sign in again/) }
    await expect(accounts.deleteAccount({})).rejects.toMatchObject(refusal)
    const fresh = await signIn()
    await fresh.accounts.deleteAccount({})
    await expect(fresh.accounts.getMe({})).rejects.toMatchObject({ code: 'unauthorized' })
    // An embedding program vouches for its users.
    const { id: userId } = await world.engine.ensureUser({ name: 'Own' })
    await world.engine.as({ userId }).accounts.deleteAccount({})
  })

  test('[ACCOUNT-51] is refused the only owner of spaces that others are in, and says which', async () => {
    const eve = await world.newPerson(`Eve${people}`)
    const { api } = bob
    const make = async (name: string) => {
      world.clock.advance(1)
      return (await api.spaces.createSpace({ name })).id
    }
    const [ofBase, trashed, shared] = [await make('Base'), await make('Gone'), await make('Two')]
    const { id: baseId } = await api.bases.createBase({ spaceId: ofBase })
    const collaborators = [{ principalId: eve.userId, principalType: 'user' as const }]
    await api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'viewer' })
    await addTo(trashed, 'viewer', eve, bob)
    await api.spaces.deleteSpace({ spaceId: trashed })
    await addTo(shared, 'owner', eve, bob)
    await expect(end(bob)).rejects.toMatchObject({
      code: 'validation_error',
      data: {
        spaces: [
          { id: ofBase, name: 'Base', isDeleted: false },
          { id: trashed, name: 'Gone', isDeleted: true },
        ],
      },
    })
    expect(await api.spaces.listSpaces({})).toHaveLength(3)
    await api.spaces.deleteSpacePermanently({ spaceId: trashed })
    await addTo(ofBase, 'owner', eve, bob)
    await end(bob)
    const left = (await eve.api.spaces.listSpaces({})).map(({ id }) => id)
    expect(left).toEqual(expect.arrayContaining([ofBase, shared]))
    expect(left).not.toContain(bob.spaceId)
  })

  test('[ACCOUNT-51] is refused the administrator, and whoever has too many spaces alone', async () => {
    await expect(world.api.accounts.deleteAccount({ password })).rejects.toMatchObject({
      code: 'restricted_resource',
    })
    await bob.api.spaces.createSpace({})
    await withLimits({ spacesEndedWithAccount: 1 }, () =>
      expect(end(bob)).rejects.toMatchObject({ code: 'validation_error' }),
    )
    expect(await isThere(bob)).toBe(true)
  })

  test('[ACCOUNT-52] ends sessions and tokens, roles, what could be undone, and spaces of nobody else', async () => {
    const member = await newMember()
    const { api, userId, spaceId } = member
    const { token } = await api.accessTokens.createToken({
      ...{ name: 'All', scopes: ['space|read'], hasFullAccess: true, expiredTime: '2999-01-01' },
    })
    const table = await world.makeNames(`Undone${people}`, 'a')
    const changed = { tableId: table.id, recordId: table.recordIds[0] ?? '' }
    const record = { fields: { Name: 'b' } }
    await api.records.updateRecord({ ...changed, record }, { windowId: 'w' })
    const plugin = { logo: 'https://p.example/logo.png', positions: ['panel' as const] }
    const { id: pluginId } = await api.plugins.createPlugin({ name: 'Draft', ...plugin })
    const { id: baseId } = await api.bases.createBase({ spaceId })
    const heard: string[] = []
    const stop = world.engine.subscribe(({ name }) => heard.push(name))
    await end(member)
    stop()
    expect(heard).toEqual(['space.deleted', 'user.deleted'])
    for (const credential of [member.accessToken, token]) {
      expect(await world.engine.authenticate(credential)).toBeUndefined()
    }
    expect(await isThere(member)).toBe('unauthorized')
    await expect(api.spaces.createSpace({})).rejects.toMatchObject({ code: 'unauthorized' })
    const { collaborators } = await world.api.collaborators.listSpaceCollaborators({
      spaceId: world.ada.spaceId,
    })
    expect(collaborators.map((one) => one.userId)).not.toContain(userId)
    await world.engine.store.write(async (tx) => {
      const window = { userId, tableId: table.id, windowId: 'w' }
      expect(await tx.undo.lastDone(window, '2026-01-01T00:00:00.000Z')).toBeUndefined()
      expect(await tx.plugins.find(pluginId)).toBeUndefined()
    })
    await world.finishJobs()
    await world.engine.store.read(async (tx) => {
      const bases = { spaceIds: [], baseIds: [baseId] }
      expect(await tx.access.livingPlaces(bases)).toEqual({ spaceIds: [], baseIds: [] })
      expect(await tx.bases.listPlaces(spaceId)).toEqual([])
    })
  })

  test('[ACCOUNT-52] ends the invitations that it made, which take no room from then on', async () => {
    const member = await newMember()
    const { baseId } = world
    await addTo(world.ada.spaceId, 'owner', member, world.ada)
    const { spaceId } = world.ada
    const role = 'viewer' as const
    const { collaborators, invitationLinks } = member.api
    const emails = [`guest${people}@example.com`]
    await invitationLinks.createSpaceLink({ spaceId, role })
    const link = await invitationLinks.createBaseLink({ baseId, role })
    await collaborators.inviteToSpace({ spaceId, role, emails })
    await collaborators.inviteToBase({ baseId, role, emails })
    const { api } = world
    const open = async () => [
      ...(await api.invitationLinks.listSpaceLinks({ spaceId })),
      ...(await api.invitationLinks.listBaseLinks({ baseId })),
      ...(await api.collaborators.listSpaceInvitations({ spaceId })),
      ...(await api.collaborators.listBaseInvitations({ baseId })),
    ]
    expect(await open()).toHaveLength(4)
    await end(member)
    expect(await open()).toEqual([])
    const { invitationId, invitationCode = '' } = link
    await expect(
      bob.api.accounts.acceptInvitationLink({ invitationId, invitationCode }),
    ).rejects.toMatchObject({ code: 'not_found' })
    await withLimits({ invitationLinksPerResource: 1, invitationsPerResource: 1 }, async () => {
      await api.invitationLinks.createBaseLink({ baseId, role })
      await api.collaborators.inviteToBase({ baseId, role, emails })
    })
    expect(await open()).toHaveLength(2)
  })

  test('[ACCOUNT-53] leaves what was made for others, under a name that says nothing', async () => {
    const member = await newMember()
    const { api, userId } = member
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'user', name: 'Who' },
      { type: 'createdBy', name: 'By' },
      { type: 'formula', name: 'Text', options: { expression: '{Who} & ""' } },
    ]
    const table = await world.makeTable(`Left${people}`, fields, [])
    const { records } = await api.records.createRecords({
      ...{ tableId: table.id, fieldKeyType: 'name' },
      records: [{ fields: { Name: 'a', Who: { id: userId } } }],
    })
    const recordId = records[0]?.id ?? ''
    const content = [{ type: 'p' as const, children: [{ type: 'span' as const, value: 'Hm' }] }]
    await api.comments.createComment({ tableId: table.id, recordId, content })
    await end(member)
    await world.finishJobs()
    const nobody = { id: userId, title: 'Deleted user' }
    expect(await world.recordOf(table, recordId)).toEqual({
      ...{ Name: 'a', Who: nobody, By: nobody, Text: 'Deleted user' },
    })
    const { userMap } = await world.api.comments.listComments({ tableId: table.id, recordId })
    expect(userMap[userId]).toEqual({ id: userId, name: 'Deleted user' })
    // Whoever had the cell empties it; nobody can fill it with them again.
    expect(await world.change(table, recordId, { Who: null })).not.toHaveProperty('Who')
    await expect(world.change(table, recordId, { Who: { id: userId } })).rejects.toThrow()
  })

  test('[ACCOUNT-54] frees the address for an account that has nothing of the old one', async () => {
    await end(bob)
    const again = { email: bob.email, password }
    await expect(world.engine.public.accounts.signIn(again)).rejects.toMatchObject({
      code: 'invalid_credentials',
    })
    const { id } = await world.engine.public.accounts.signUp(again)
    expect(id).not.toBe(bob.userId)
    expect(await world.engine.as({ userId: id }).spaces.listSpaces({})).toHaveLength(1)
  })

  test('[ACCOUNT-55] gives whose account is gone a role nowhere, until the program registers them again', async () => {
    const { id: userId } = await world.engine.ensureUser({ id: `crm-${people}`, name: 'Own' })
    const own = { ...bob, userId, api: world.engine.as({ userId }) }
    await addTo(world.ada.spaceId, 'viewer', own, { ...bob, api: world.api })
    await own.api.accounts.deleteAccount({})
    for (const add of [
      () => addTo(bob.spaceId, 'viewer', own, bob),
      () =>
        bob.api.collaborators.inviteToSpace({
          ...{ spaceId: bob.spaceId, role: 'viewer', emails: [`${userId}@user.invalid`] },
        }),
    ]) {
      await expect(add()).rejects.toMatchObject({ code: 'validation_error' })
    }
    await expect(own.api.spaces.listSpaces({})).rejects.toMatchObject({ code: 'unauthorized' })
    await world.engine.ensureUser({ id: userId, name: 'Own' })
    expect(await own.api.spaces.listSpaces({})).toEqual([])
    expect(await own.api.accounts.getUser({})).toMatchObject({ name: 'Own' })
  })

  test('[ACCOUNT-140] is the end for calls that look the user up while it is being written, too', async () => {
    let beforeCommit: () => Promise<unknown> = async () => undefined
    const engine = await storage.open({}, (store) => {
      const write: typeof store.write = (work, options) =>
        store.write(async (tx) => {
          const value = await work(tx)
          await beforeCommit()
          return value
        }, options)
      return new Proxy(store, {
        get: (target, name) => {
          const value: unknown = name === 'write' ? write : Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    })
    try {
      await engine.ensureUser({ name: 'Administrator' })
      const { id: userId } = await engine.ensureUser({ name: 'Own' })
      const { accounts, spaces } = engine.as({ userId })
      let answered: unknown
      beforeCommit = async () => {
        answered = await spaces.listSpaces({})
      }
      await accounts.deleteAccount({})
      beforeCommit = async () => undefined
      expect(answered).toEqual([])
      await expect(spaces.listSpaces({})).rejects.toMatchObject({ code: 'unauthorized' })
    } finally {
      await engine.close()
    }
  })

  test('[ACCOUNT-56] of calls at the same time, each is refused or leaves nothing of the account', async () => {
    const outcomes = await Promise.allSettled([
      end(bob),
      bob.api.spaces.createSpace({ name: 'Late' }),
      addTo(world.ada.spaceId, 'viewer', bob, { ...bob, api: world.api }),
      bob.api.accessTokens.createToken({
        ...{ name: 'Late', scopes: ['space|read'], expiredTime: '2999-01-01' },
      }),
    ])
    expect(outcomes[0]?.status).toBe('fulfilled')
    await world.engine.store.read(async (tx) => {
      expect(await tx.spaces.listOf(bob.userId)).toEqual([])
      expect(await tx.accessTokens.listOf(bob.userId)).toEqual([])
    })
  })
})
