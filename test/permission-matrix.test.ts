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
import type { Sample } from '@gateleg/testing/operation-sample'
import { samplesIn } from '@gateleg/testing/operation-samples'
import { type Cast, newCast, newPlace, type Place } from '@gateleg/testing/place'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type World } from '@gateleg/testing/world'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

/** The operations whose guard decides by role; those about the caller's own account are further down. */
const placed = operations.filter(({ useCase }) =>
  ['space', 'base', 'table', 'node'].includes(useCase.access.requirement.on),
)

interface Case {
  readonly operation: Operation
  readonly sample: Sample
  readonly needed: readonly Action[]
}

function casesOf(operation: Operation, place: Place, cast: Cast): readonly Case[] {
  const samples = samplesIn(place, cast)
  const [feature = '', name = ''] = operation.name.split('.')
  const found = (samples as Record<string, Record<string, Sample | Sample[]>>)[feature]?.[name]
  return [found ?? []].flat().map((sample) => ({
    operation,
    sample,
    needed: sample.actions ?? operation.useCase.access.requirement.actions,
  }))
}

/** Whether the role may take all the actions, and is as powerful as the operation asks for beside them. */
function mayCall(role: Role, { operation, needed }: Case): boolean {
  const { lowestRole = role } = operation.useCase.access.requirement
  return isAtLeast(role, lowestRole) && needed.every((action) => canTake(role, action))
}

/** How a call ended: 'done', or the code of its refusal. */
async function outcomeOf(world: World, { operation, sample }: Case, actor: Actor): Promise<string> {
  try {
    await world.engine.call(operation.name, actor, sample.input)
    return 'done'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

/** Everything that is stored of a place, as its owner sees it. */
async function pictureOf(place: Place, { owner: { api } }: Cast): Promise<string> {
  const { spaceId, baseId } = place
  const { hash } = await api.bases.verifyBase({ baseId })
  const rest = [
    await api.spaces.getSpace({ spaceId }),
    await api.bases.listBases({ spaceId }),
    await api.collaborators.listSpaceCollaborators({ spaceId }),
    await api.collaborators.listBaseCollaborators({ baseId }),
  ]
  return JSON.stringify([hash, rest])
}

/** A storage that holds many tables is slow: after so many tests, others begin on an empty one. */
const testsPerWorld = 12

const asUser = (userId: string): Actor => ({ kind: 'user', userId })

describeOnEveryStorage('permissions', (storage) => {
  // Many calls each, on machines that have other work to do.
  vi.setConfig({ testTimeout: 240_000 })

  let world: World
  let cast: Cast

  let tests = 0
  beforeEach(async () => {
    if (tests++ % testsPerWorld > 0) return
    if (tests > 1) await world.close()
    world = await openWorld(storage)
    cast = await newCast(world)
  })
  afterAll(() => world.close())

  /** Makes the call and, when it is refused, checks that the place is as it was. */
  async function call(place: Place, one: Case, actor: Actor): Promise<string> {
    const before = await pictureOf(place, cast)
    const outcome = await outcomeOf(world, one, actor)
    if (outcome !== 'done') expect(await pictureOf(place, cast)).toBe(before)
    return outcome
  }

  describe('[ACCESS-1] [ACCESS-8] an operation in a place where the caller has a role', () => {
    test.each(placed.map((operation) => [operation.name, operation] as const))(
      '%s',
      async (_, op) => {
        const refusals = await newPlace(cast)
        for (const [index, { sample }] of casesOf(op, refusals, cast).entries()) {
          for (const role of roles) {
            const [one, place] = await pickPlace(op, index, role, refusals)
            const isAllowed = mayCall(role, one)
            const expected = isAllowed ? 'done' : 'restricted_resource'
            const outcome = await call(place, one, asUser(cast.byRole[role].userId))
            expect([sample.about, role, outcome]).toEqual([sample.about, role, expected])
          }
        }
      },
    )

    /** A call that is refused leaves its place as it was; one that is allowed gets a place of its own. */
    async function pickPlace(op: Operation, index: number, role: Role, refusals: Place) {
      const refused = casesOf(op, refusals, cast)[index] as Case
      if (!mayCall(role, refused)) return [refused, refusals] as const
      const place = await newPlace(cast)
      return [casesOf(op, place, cast)[index] as Case, place] as const
    }
  })

  test('[ACCESS-2] a place of others is as one that is not there', async () => {
    const place = await newPlace(cast)
    const outcomes = new Set<string>()
    for (const one of placed.flatMap((operation) => casesOf(operation, place, cast))) {
      const outcome = await call(place, one, asUser(cast.stranger.userId))
      outcomes.add(`${one.operation.name}: ${outcome}`)
    }
    expect([...outcomes].filter((outcome) => !outcome.endsWith(': not_found'))).toEqual([])
  })

  test('[ACCESS-3] who has not signed in is told so', async () => {
    const place = await newPlace(cast)
    for (const one of placed.flatMap((operation) => casesOf(operation, place, cast))) {
      const outcome = await call(place, one, { kind: 'anonymous' })
      expect([one.operation.name, outcome]).toEqual([one.operation.name, 'unauthorized'])
    }
  })

  test('[ACCESS-4] what was deleted is not there, for its owner either', async () => {
    const { api, userId } = cast.owner
    const deletions: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
      spaceId: ({ spaceId }) => api.spaces.deleteSpace({ spaceId }),
      baseId: ({ baseId }) => api.bases.deleteBase({ baseId }),
      tableId: ({ baseId, tableId }) => api.tables.deleteTable({ baseId, tableId }),
      fieldId: ({ tableId, fieldId, filesFieldId }) =>
        api.fields.deleteFields({ tableId, fieldIds: [fieldId, filesFieldId] }),
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
    const [mine, foreign] = [await newPlace(cast), await foreignPlace()]
    for (const one of placed.flatMap((operation) => casesOf(operation, mine, cast))) {
      const members = Object.keys(one.sample.input).filter((member) => member in foreign)
      for (const member of members) {
        const input = { ...one.sample.input, [member]: foreign[member as keyof Place] }
        const mixed = { ...one, sample: { input } }
        const outcome = await call(mine, mixed, asUser(cast.owner.userId))
        const absent = member === 'viewId' ? 'view_not_found' : 'not_found'
        const said = [one.operation.name, member, outcome]
        expect(said).toEqual([one.operation.name, member, absent])
      }
    }
  })

  /** A place of the same kind that nobody of the cast has a role in. */
  async function foreignPlace(): Promise<Place> {
    const others = { ...cast, owner: await world.newPerson('Foreigner') }
    return newPlace({ ...others, byRole: {} as Cast['byRole'] })
  }

  test('[ACCESS-6] a token takes an action only with its scope, and only within its reach', async () => {
    const place = await newPlace(cast)
    const token = { kind: 'token', userId: cast.owner.userId, tokenId: 'accTest' } as const
    const reach = { spaceIds: new Set<string>(), baseIds: new Set([place.otherBaseId]) }
    for (const one of placed.flatMap((operation) => casesOf(operation, place, cast))) {
      for (const missing of one.needed) {
        const scopes = new Set(actions.filter((action) => action !== missing))
        const outcome = await call(place, one, { ...token, scopes })
        expect([one.operation.name, outcome]).toEqual([one.operation.name, 'restricted_resource'])
      }
      const unreached = await call(place, one, { ...token, scopes: new Set(actions), reach })
      expect([one.operation.name, unreached]).toEqual([one.operation.name, 'not_found'])
    }
  })

  test('[ACCESS-6] [GRANT-6] the token of a plugin, with all scopes, reaches nothing beside its base', async () => {
    const place = await newPlace(cast)
    const { plugins, pluginGrants } = cast.owner.api
    const logo = 'https://plugins.example.com/logo.png'
    const { id: pluginId, secret } = await plugins.createPlugin({
      ...{ name: 'Slips', logo, positions: ['panel'] },
    })
    const { baseId } = await newPlace(cast)
    const { code: authCode } = await pluginGrants.createPluginCode({ pluginId, baseId })
    const { accessToken } = await pluginGrants.createPluginToken({
      ...{ pluginId, baseId, secret, scopes: [...actions], authCode },
    })
    const actor = await world.engine.authenticate(accessToken)
    if (!actor) throw new Error('the token is good')
    for (const one of placed.flatMap((operation) => casesOf(operation, place, cast))) {
      const outcome = await outcomeOf(world, one, actor)
      expect([one.operation.name, outcome]).toEqual([one.operation.name, 'not_found'])
    }
    const { tables } = world.engine.as(actor)
    expect(await tables.listTables({ baseId })).not.toEqual([])
  })

  test('[ACCESS-10] a token that may write records and not read them sees no cells', async () => {
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
    }
  })

  const ownAccount = operations.filter(({ useCase }) =>
    ['account', 'instance'].includes(useCase.access.requirement.on),
  )

  test('[ACCESS-3] [ACCESS-7] what is about the caller asks for one, and for a session where it says so', async () => {
    for (const { name, useCase } of ownAccount) {
      const { sessionOnly } = useCase.access.requirement
      const input = { id: 'accNone', sessionId: 'sesNone', ...filler }
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

  /** Members that make the inputs of the operations about accounts legal. */
  const filler = {
    name: 'Name',
    scopes: ['space|read'],
    expiredTime: '2999-01-01',
    password: 'correct horse 1',
    newPassword: 'correct horse 2',
    uses: 1,
    logo: 'https://plugins.example.com/logo.png',
    positions: ['panel'],
    pluginId: 'plgNone',
    baseId: 'bseNone',
    token: 'none',
    content: 'Name',
    resourceType: 'base',
  }
})
