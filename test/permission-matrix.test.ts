import type { Operation } from '@gateleg/contract/operation'
import { operations } from '@gateleg/contract/operations'
import type { Actor } from '@gateleg/domain/access/actor'
import {
  type Action,
  actions,
  canTake,
  isAtLeast,
  type Role,
  roles,
} from '@gateleg/domain/access/roles'
import { KeptMail } from '@gateleg/testing/doubles/kept-mail'
import { describeOnEveryStorage, type TestStorage } from '@gateleg/testing/test-engine'
import { beginWithCast } from '@gateleg/testing/worlds/begin-with-cast'
import { type Cast, newPlace, type Place } from '@gateleg/testing/worlds/place'
import { actorBy } from '@gateleg/testing/worlds/token-bearer'
import type { Person, World } from '@gateleg/testing/worlds/world'
import { describe, expect, test, vi } from 'vitest'
import { legalMembers } from './legal-members.ts'
import { openOAuthApp } from './open-oauth-app.ts'
import { type Case, casesOf, mayCall, outcomeOf, pictureOf, placed } from './permission-cases.ts'
import { undoingStore } from './undoing-store.ts'

const asUser = (userId: string): Actor => ({ kind: 'user', userId })

describeOnEveryStorage('permissions', (storage) => {
  // Many calls each, on machines that have other work to do.
  vi.setConfig({ testTimeout: 240_000 })

  let world: World
  let cast: Cast
  /** A place for calls that change nothing: those that read, are refused, or are undone. */
  let unchanged: Place
  let isUndoing = false

  const mailer = new KeptMail()
  const mail = { mailer, publicUrl: 'https://tables.example.com' }
  const undoing: TestStorage = {
    ...storage,
    open: (ports) =>
      storage.open({ ...ports, mail }, (store) => undoingStore(store, () => isUndoing)),
  }
  beginWithCast(undoing, (opened) => {
    ;({ world, cast, unchanged } = opened)
  })

  /** Makes the calls, and checks after those of each feature that they left the place as it was. */
  async function callAll(
    place: Place,
    cases: readonly Case[],
    call: (one: Case) => Promise<void>,
  ): Promise<void> {
    const before = await pictureOf(place, cast)
    const byFeature = Map.groupBy(cases, ({ operation }) => operation.name.split('.')[0])
    for (const [feature, ofFeature] of byFeature) {
      for (const one of ofFeature) await call(one)
      expect([feature, await pictureOf(place, cast)]).toEqual([feature, before])
    }
  }

  /** How the call ended; what it changed is undone. */
  async function undoneOutcomeOf(one: Case, actor: Actor): Promise<string> {
    isUndoing = true
    try {
      return await outcomeOf(world, one, actor)
    } finally {
      isUndoing = false
    }
  }

  const allCasesIn = (place: Place) =>
    placed.flatMap((operation) => casesOf(operation, place, cast))

  describe('[ACCESS-1] [ACCESS-8] an operation in a place where the caller has a role', () => {
    test.each(placed.map((operation) => [operation.name, operation] as const))(
      '%s',
      async (_, operation) => {
        const cases = casesOf(operation, unchanged, cast)
        await callAll(unchanged, cases, async (one) => {
          for (const role of roles) {
            const expected = mayCall(role, one) ? 'done' : 'restricted_resource'
            const outcome = await undoneOutcomeOf(one, asUser(cast.byRole[role].userId))
            expect([one.sample.about, role, outcome]).toEqual([one.sample.about, role, expected])
          }
        })
        // That each is made durable there, too, is shown by the examples of the documentation.
        if (operation.useCase.kind === 'read' || storage.name !== 'sqlite') return
        for (const [index, { sample }] of cases.entries()) {
          const place = await newPlace(cast)
          const one = casesOf(operation, place, cast)[index] as Case
          const [least] = roles.filter((role) => mayCall(role, one)).toSorted(byPower)
          if (!least) throw new Error(`${operation.name} is for nobody`)
          const outcome = await outcomeOf(world, one, asUser(cast.byRole[least].userId))
          expect([sample.about, least, outcome]).toEqual([sample.about, least, 'done'])
        }
      },
    )

    const byPower = (a: Role, b: Role) => Number(isAtLeast(a, b)) - Number(isAtLeast(b, a))
  })

  test('[ACCESS-2] a place of others is as one that is not there', async () => {
    const outcomes = new Set<string>()
    await callAll(unchanged, allCasesIn(unchanged), async (one) => {
      const outcome = await outcomeOf(world, one, asUser(cast.stranger.userId))
      outcomes.add(`${one.operation.name}: ${outcome}`)
    })
    expect([...outcomes].filter((outcome) => !outcome.endsWith(': not_found'))).toEqual([])
  })

  test('[ACCESS-3] who has not signed in is told so', async () => {
    await callAll(unchanged, allCasesIn(unchanged), async (one) => {
      const outcome = await outcomeOf(world, one, { kind: 'anonymous' })
      expect([one.operation.name, outcome]).toEqual([one.operation.name, 'unauthorized'])
    })
  })

  test('[ACCESS-4] what was deleted is not there, for its owner either', async () => {
    const { api, userId } = cast.owner
    const deletions: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
      spaceId: ({ spaceId }) => api.spaces.deleteSpace({ spaceId }),
      baseId: ({ baseId }) => api.bases.deleteBase({ baseId }),
      tableId: ({ baseId, tableId }) => api.tables.deleteTable({ baseId, tableId }),
      fieldId: ({ tableId, fieldId, filesFieldId, buttonFieldId, makerFieldId }) =>
        api.fields.deleteFields({
          tableId,
          fieldIds: [fieldId, filesFieldId, buttonFieldId, makerFieldId],
        }),
      recordId: ({ tableId, recordId }) => api.records.deleteRecord({ tableId, recordId }),
    }
    for (const [member, remove] of Object.entries(deletions)) {
      const place = await newPlace(cast)
      const cases = placed
        .flatMap((operation) => casesOf(operation, place, cast))
        .filter(({ sample }) => isUnder(sample.input, member))
        .filter(({ sample }) => sample.input.tableId !== place.otherTableId || member !== 'tableId')
        .filter(({ operation }) => !reachesTrash(operation) && operation.name !== tellsOfDeleted)
      expect(cases.length).toBeGreaterThan(0)
      await remove(place)
      for (const one of cases) {
        const outcome = await outcomeOf(world, one, asUser(userId))
        const said = [member, one.operation.name, one.sample.about, outcome]
        expect(said).toEqual([member, one.operation.name, one.sample.about, 'not_found'])
      }
    }
  })

  /** Says of a record whether it was deleted. */
  const tellsOfDeleted = 'records.getRecordStatus'

  const reachesTrash = ({ useCase }: Operation) => useCase.access.requirement.reachesTrash === true

  test('[ACCESS-4] what was deleted can be deleted for good, by who could delete it, and nothing else', async () => {
    const reaching = placed.filter(reachesTrash)
    expect(reaching.map(({ name }) => name).sort()).toEqual([
      'bases.deleteBasePermanently',
      'spaces.deleteSpacePermanently',
      'tables.deleteTablePermanently',
      'workflows.deleteWorkflowPermanently',
    ])
    const { api } = cast.owner
    for (const operation of reaching) {
      const place = await newPlace(cast)
      const { baseId, workflowId } = place
      await api.tables.deleteTable({ baseId, tableId: place.tableId })
      await api.workflows.deleteWorkflow({ baseId, workflowId })
      if (operation.name.startsWith('bases.') || operation.name.startsWith('spaces.')) {
        await api.bases.deleteBase({ baseId })
        await api.spaces.deleteSpace({ spaceId: place.spaceId })
      }
      const [one] = casesOf(operation, place, cast) as [Case]
      const [action] = one.needed as [Action]
      for (const role of roles.toReversed()) {
        const outcome = await outcomeOf(world, one, asUser(cast.byRole[role].userId))
        const expected = canTake(role, action) ? 'done' : 'not_found'
        expect([operation.name, role, outcome]).toEqual([operation.name, role, expected])
        if (expected === 'done') break
      }
    }
  })

  /** Whether the input names the resource, or one that lies in it. */
  function isUnder(input: Readonly<Record<string, unknown>>, member: string): boolean {
    if (member === 'spaceId') return 'spaceId' in input || 'baseId' in input || 'tableId' in input
    if (member === 'baseId') return 'baseId' in input || 'tableId' in input
    return member in input
  }

  test('[ACCESS-5] ids of one place open nothing in another', async () => {
    const foreign = await foreignPlace()
    await callAll(unchanged, allCasesIn(unchanged), async (one) => {
      const members = Object.keys(one.sample.input).filter((member) => member in foreign)
      for (const member of members) {
        const input = { ...one.sample.input, [member]: foreign[member as keyof Place] }
        const mixed = { ...one, sample: { input } }
        const outcome = await outcomeOf(world, mixed, asUser(cast.owner.userId))
        const absent = member === 'viewId' ? 'view_not_found' : 'not_found'
        const said = [one.operation.name, member, outcome]
        expect(said).toEqual([one.operation.name, member, absent])
      }
    })
  })

  /** A place of the same kind that nobody of the cast has a role in. */
  async function foreignPlace(): Promise<Place> {
    const others = { ...cast, owner: await world.newPerson('Foreigner') }
    return newPlace({ ...others, byRole: {} as Cast['byRole'] })
  }

  test('[ACCESS-6] a token takes an action only with its scope, and only within its reach', async () => {
    const token = { kind: 'token', userId: cast.owner.userId, tokenId: 'accTest' } as const
    const reach = { spaceIds: new Set<string>(), baseIds: new Set([unchanged.otherBaseId]) }
    await callAll(unchanged, allCasesIn(unchanged), async (one) => {
      for (const missing of one.needed) {
        const scopes = new Set(actions.filter((action) => action !== missing))
        const outcome = await outcomeOf(world, one, { ...token, scopes })
        expect([one.operation.name, outcome]).toEqual([one.operation.name, 'restricted_resource'])
      }
      const everything = new Set(actions)
      const unreached = await outcomeOf(world, one, { ...token, scopes: everything, reach })
      expect([one.operation.name, unreached]).toEqual([one.operation.name, 'not_found'])
    })
  })

  test('[ACCESS-6] [GRANT-6] the token of a plugin, with all scopes, reaches nothing beside its base', async () => {
    const { baseId } = await newPlace(cast)
    const actor = await pluginOf(cast.owner, baseId)
    for (const one of allCasesIn(unchanged)) {
      const outcome = await outcomeOf(world, one, actor)
      expect([one.operation.name, outcome]).toEqual([one.operation.name, 'not_found'])
    }
    const { tables } = world.engine.as(actor)
    expect(await tables.listTables({ baseId })).not.toEqual([])
  })

  test.each(['owner', 'editor', 'viewer'] as const)(
    '[ACCESS-6] [GRANT-6] the token of a plugin, with all scopes, does in its base what its user may do: %s',
    async (role) => {
      const actor = await pluginOf(cast.byRole[role], unchanged.baseId)
      const cases = allCasesIn(unchanged).filter(isInBaseAlone)
      expect(cases.length).toBeGreaterThan(150)
      await expectOutcomes(cases, actor, role)
    },
  )

  test('[ACCESS-6] [GRANT-15] the token of a page takes the actions of its plugin alone, and replaces what its own install stores', async () => {
    const { baseId, dashboardId, dashboardInstallId: pluginInstallId } = unchanged
    const { createPageToken } = cast.owner.api.pluginGrants
    const { accessToken } = await createPageToken({ pluginId: 'plgchart', pluginInstallId })
    const actor = await actorBy(world.engine, accessToken)
    if (actor.kind !== 'token') throw new Error('a page acts by a token')
    const own = [baseId, dashboardId, pluginInstallId]
    const isOwn = ({ operation, sample }: Case) =>
      operation.name === 'dashboards.setDashboardStorage' &&
      own.every((id) => JSON.stringify(sample.input).includes(id))
    let saved = 0
    for (const one of allCasesIn(unchanged).filter(isInBaseAlone)) {
      const isAllowed = isOwn(one) || one.needed.every((action) => actor.scopes.has(action))
      if (isOwn(one)) saved++
      const outcome = await undoneOutcomeOf(one, actor)
      const expected = isAllowed ? 'done' : 'restricted_resource'
      expect([one.operation.name, one.sample.about, outcome]).toEqual([
        ...[one.operation.name, one.sample.about, expected],
      ])
    }
    expect(saved).toBe(1)
  })

  /** A plugin of the person that acts for them in the base, with all scopes. */
  async function pluginOf({ api }: Person, baseId: string): Promise<Actor> {
    const { id: pluginId, secret } = await api.plugins.createPlugin({
      ...{ name: 'Slips', logo: 'https://plugins.example.com/logo.png', positions: ['panel'] },
    })
    const { code: authCode } = await api.pluginGrants.createPluginCode({ pluginId, baseId })
    const { accessToken } = await api.pluginGrants.createPluginToken({
      ...{ pluginId, baseId, secret, scopes: [...actions], authCode },
    })
    return actorBy(world.engine, accessToken)
  }

  /** Whether all that the call names lies in the base of the place. */
  function isInBaseAlone({ sample }: Case): boolean {
    const { spaceId, otherBaseId } = unchanged
    const named = JSON.stringify([sample.input, sample.ownOf?.('')])
    return !named.includes(spaceId) && !named.includes(otherBaseId)
  }

  /** Makes the calls as the actor, undone, and expects of each what the role may do. */
  async function expectOutcomes(cases: readonly Case[], actor: Actor, role: Role): Promise<void> {
    await callAll(unchanged, cases, async (one) => {
      const outcome = await undoneOutcomeOf(one, actor)
      const expected = mayCall(role, one) ? 'done' : 'restricted_resource'
      const said = [one.operation.name, one.sample.about, outcome]
      expect(said).toEqual([one.operation.name, one.sample.about, expected])
    })
  }

  test('[ACCESS-3] a visitor of a share, whether or not its password was given, is told to sign in by all operations but those of shares', async () => {
    const { api } = cast.owner
    const { tableId, sharedViewId } = unchanged
    const { shareId = '' } = await api.views.getView({ tableId, viewId: sharedViewId })
    const proven = { shareId, passwordTag: '' }
    await callAll(unchanged, allCasesIn(unchanged), async (one) => {
      for (const visitor of [{ kind: 'share' }, { kind: 'share', proven }] as const) {
        const outcome = await outcomeOf(world, one, visitor)
        expect([one.operation.name, outcome]).toEqual([one.operation.name, 'unauthorized'])
      }
    })
  })

  /** What the owner invites people to, and how; each answers how who is invited accepts. */
  const invitations = {
    'a space, by a link': async () => {
      const { createSpaceLink } = cast.owner.api.invitationLinks
      return accepting(await createSpaceLink({ spaceId: unchanged.spaceId, role: 'editor' }))
    },
    'a base, by a link': async () => {
      const { createBaseLink } = cast.owner.api.invitationLinks
      return accepting(await createBaseLink({ baseId: unchanged.baseId, role: 'editor' }))
    },
    'a space, by mail': async (email: string) => {
      const { inviteToSpace } = cast.owner.api.collaborators
      await inviteToSpace({ spaceId: unchanged.spaceId, emails: [email], role: 'editor' })
      return acceptingMail(email)
    },
    'a base, by mail': async (email: string) => {
      const { inviteToBase } = cast.owner.api.collaborators
      await inviteToBase({ baseId: unchanged.baseId, emails: [email], role: 'editor' })
      return acceptingMail(email)
    },
  }

  type Link = { readonly invitationId: string; readonly invitationCode?: string | undefined }
  const accepting =
    ({ invitationId, invitationCode = '' }: Link) =>
    ({ accounts }: Person['api']) =>
      accounts.acceptInvitationLink({ invitationId, invitationCode })

  function acceptingMail(email: string) {
    const token = mailer.tokenOf(email)
    return ({ accounts }: Person['api']) => accounts.acceptInvitation({ token })
  }

  test.each(Object.entries(invitations))(
    '[ACCESS-2] [INVITE-4] [COLLABORATOR-19] who is invited to %s is a stranger until they accept, and has the role that was offered there then',
    async (to, invite) => {
      const name = `Invited${Object.keys(invitations).indexOf(to)}`
      // Mailed to an address that has no account yet: who has one joins at once.
      const accept = await invite(`${name.toLowerCase()}@example.com`)
      const { userId, api } = await world.newPerson(name)
      const actor = asUser(userId)
      await callAll(unchanged, allCasesIn(unchanged), async (one) => {
        const outcome = await outcomeOf(world, one, actor)
        expect([one.operation.name, outcome]).toEqual([one.operation.name, 'not_found'])
      })
      await accept(api)
      // Nothing there is their own yet, such as a comment.
      const cases = allCasesIn(unchanged).filter(({ sample }) => sample.ownOf === undefined)
      const isWhere = (one: Case) => to.startsWith('a space') || isInBaseAlone(one)
      await expectOutcomes(cases.filter(isWhere), actor, 'editor')
      for (const one of cases) {
        if (isWhere(one)) continue
        const outcome = await undoneOutcomeOf(one, actor)
        expect([one.operation.name, outcome]).not.toEqual([one.operation.name, 'done'])
      }
    },
  )

  test('every operation is one of a place, of the caller, of the instance or of a share, or is for everybody', () => {
    const kinds = Map.groupBy(operations, ({ useCase }) => useCase.access.requirement.on)
    const covered = [...placed, ...ownAccount]
    const others = operations.filter((operation) => !covered.includes(operation))
    expect(new Set(others.map(({ useCase }) => useCase.access.requirement.on))).toEqual(
      new Set(['share', 'nothing']),
    )
    // The callers of those are in the tests of shares, and of who needs no credential (HTTP-11).
    expect([kinds.get('share')?.length, kinds.get('nothing')?.length]).toEqual([13, 14])
  })

  const openApp = (most: readonly Action[] = actions) => openOAuthApp(world, cast.owner, most)

  test('[ACCESS-6] [OAUTH-14] the token of an OAuth app without scopes takes no action, though its user is an owner', async () => {
    const tokenOf = await openApp([])
    const actor = await tokenOf(cast.owner, [])
    await callAll(unchanged, allCasesIn(unchanged), async (one) => {
      const outcome = await outcomeOf(world, one, actor)
      expect([one.operation.name, outcome]).toEqual([one.operation.name, 'restricted_resource'])
    })
  })

  test('[ACCESS-6] [OAUTH-14] the token of an OAuth app takes an action only with its scope, though it has all others', async () => {
    const tokenOf = await openApp()
    const all = allCasesIn(unchanged)
    for (const missing of new Set(all.flatMap(({ needed }) => needed))) {
      const scopes = actions.filter((action) => action !== missing)
      const actor = await tokenOf(cast.owner, scopes)
      const cases = all.filter(({ needed }) => needed.includes(missing))
      await callAll(unchanged, cases, async (one) => {
        const outcome = await outcomeOf(world, one, actor)
        const said = [one.operation.name, missing, outcome]
        expect(said).toEqual([one.operation.name, missing, 'restricted_resource'])
      })
    }
  })

  test.each(['owner', 'editor', 'viewer'] as const)(
    '[ACCESS-6] [OAUTH-14] the token of an OAuth app, with all scopes, does what its user may do: %s',
    async (role) => {
      const tokenOf = await openApp()
      const actor = await tokenOf(cast.byRole[role], actions)
      await expectOutcomes(allCasesIn(unchanged), actor, role)
    },
  )

  test('[ACCESS-2] [OAUTH-14] the token of an OAuth app, with all scopes, finds nothing where its user has no role', async () => {
    const tokenOf = await openApp()
    const actor = await tokenOf(cast.stranger, actions)
    await callAll(unchanged, allCasesIn(unchanged), async (one) => {
      const outcome = await outcomeOf(world, one, actor)
      expect([one.operation.name, outcome]).toEqual([one.operation.name, 'not_found'])
    })
  })

  test('[ACCESS-10] a token that may write records and not read them sees neither cells nor names', async () => {
    const { baseId, tableId, recordId } = await newPlace(cast)
    const writing: Actor = {
      kind: 'token',
      userId: cast.owner.userId,
      tokenId: 'accTest',
      scopes: new Set(['record|create', 'record|update', 'table|create']),
    }
    const call = (name: string, input: object) =>
      world.engine.call(name as never, writing, input) as Promise<Record<string, unknown>>
    const fields = {}
    const changed = await call('records.updateRecord', { tableId, recordId, record: { fields } })
    const many = await call('records.updateRecords', {
      tableId,
      records: [{ id: recordId, fields }],
    })
    const made = await call('records.createRecords', { tableId, records: [{ fields }] })
    const table = await call('tables.createTable', {
      baseId,
      fields: [{ name: 'Name', type: 'singleLineText' }],
      records: [{ fields: { Name: 'Unread' } }],
    })
    const shown = [changed, many, made.records, table.records].flat() as Record<string, unknown>[]
    expect(shown.map(({ id }) => id)).toHaveLength(4)
    for (const record of shown) {
      expect(record.fields).toEqual({})
      expect(record).not.toHaveProperty('name')
      expect(record).toMatchObject({ createdBy: '', lastModifiedBy: '' })
    }
  })

  const ownAccount = operations.filter(({ useCase }) =>
    ['account', 'instance'].includes(useCase.access.requirement.on),
  )

  test('[ACCESS-3] [ACCESS-7] what is about the caller asks for one, and for a session where it says so', async () => {
    for (const { name, useCase } of ownAccount) {
      const { sessionOnly } = useCase.access.requirement
      const filled = { id: 'accNone', sessionId: 'sesNone', ...legalMembers }
      const input = name === 'accounts.changeNotices' ? {} : filled
      const isRefused = async (actor: Actor) => {
        try {
          await world.engine.call(name, actor, input)
          return 'done'
        } catch (error) {
          return (error as { code?: string }).code
        }
      }
      expect([name, await isRefused({ kind: 'anonymous' })]).toEqual([name, 'unauthorized'])
      if (!sessionOnly) continue
      const token: Actor = {
        kind: 'token',
        userId: cast.owner.userId,
        tokenId: 'accTest',
        scopes: new Set(actions),
      }
      expect([name, await isRefused(token)]).toEqual([name, 'restricted_resource'])
    }
  })
})
