import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Action, actions, canTake, type Role } from '../access/roles.ts'
import { limits } from '../limits.ts'

describeOnEveryStorage('bases', (storage) => {
  let world: World
  let ada: Person
  let bob: Person

  beforeEach(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
  })
  afterEach(() => world.close())

  const create = (name: string, person = ada) =>
    person.api.bases.createBase({ spaceId: person.spaceId, name })

  const names = async (person = ada) =>
    (await person.api.bases.listBases({ spaceId: ada.spaceId })).map(({ name }) => name)

  const join = (place: { spaceId: string } | { baseId: string }, person: Person, role: Role) => {
    const collaborators = [{ principalId: person.userId, principalType: 'user' as const }]
    return 'spaceId' in place
      ? ada.api.collaborators.addSpaceCollaborators({ ...place, collaborators, role })
      : ada.api.collaborators.addBaseCollaborators({ ...place, collaborators, role } as never)
  }

  const byToken = (
    person: Person,
    scopes: readonly Action[],
    reach?: { spaceIds?: string[]; baseIds?: string[] },
  ) =>
    world.engine.as({
      kind: 'token',
      userId: person.userId,
      tokenId: 'acc0000000000000000',
      scopes: new Set(scopes),
      ...(reach && {
        reach: { spaceIds: new Set(reach.spaceIds), baseIds: new Set(reach.baseIds) },
      }),
    })

  const hidden = { code: 'not_found' }
  const refused = { code: 'restricted_resource' }

  test('[BASE-22] lists those apart that are shared with somebody who is not in their space', async () => {
    const [{ id: baseId }, other] = [await create('Shared'), await create('Own', bob)]
    expect(await bob.api.bases.listSharedBases({})).toEqual([])
    await join({ baseId }, bob, 'editor')
    const shared = expect.objectContaining({ id: baseId, role: 'editor', spaceId: ada.spaceId })
    expect(await bob.api.bases.listSharedBases({})).toEqual([shared])
    const [reaching, elsewhere] = [[baseId], [other.id]].map((baseIds) =>
      byToken(bob, ['base|read_all'], { baseIds }).bases.listSharedBases({}),
    )
    expect([await reaching, await elsewhere]).toEqual([[shared], []])
    await expect(byToken(bob, []).bases.listSharedBases({})).rejects.toMatchObject(refused)
    await join({ spaceId: ada.spaceId }, bob, 'viewer')
    expect(await bob.api.bases.listSharedBases({})).toEqual([])
  })

  test('[BASE-1] names a base, trims the name, lets it repeat and puts it last', async () => {
    const { spaceId } = ada
    const first = await ada.api.bases.createBase({ spaceId, name: '  Plans ', icon: '📘' })
    expect(first).toEqual({ id: expect.stringMatching(/^bse/), name: 'Plans', spaceId, version: 1 })
    await create('Plans')
    await ada.api.bases.createBase({ spaceId })
    expect(await names()).toEqual(['Plans', 'Plans', 'Untitled Base'])
    expect(await ada.api.bases.getBase({ baseId: first.id })).toMatchObject({ icon: '📘' })
    for (const name of ['', '  ', 'x'.repeat(101)]) {
      const refusal = { code: 'validation_error', data: { issues: [{ path: ['name'] }] } }
      await expect(ada.api.bases.createBase({ spaceId, name })).rejects.toMatchObject(refusal)
    }
  })

  test('[BASE-2] lets owners and creators create, and nobody else', async () => {
    const { spaceId } = ada
    await expect(bob.api.bases.createBase({ spaceId })).rejects.toMatchObject(hidden)
    await join({ spaceId }, bob, 'editor')
    await expect(bob.api.bases.createBase({ spaceId })).rejects.toMatchObject(refused)
    const bobId = { principalId: bob.userId, principalType: 'user' as const }
    const role = 'creator'
    await ada.api.collaborators.changeSpaceCollaborator({ spaceId, ...bobId, role })
    await bob.api.bases.createBase({ spaceId, name: "Bob's" })
    expect(await names()).toEqual(["Bob's"])
  })

  test('[BASE-3] [BASE-5] lists the bases of a space with the stronger of both roles', async () => {
    const { spaceId } = ada
    const plans = await create('Plans')
    await create('Notes')
    await join({ spaceId }, bob, 'viewer')
    await join({ baseId: plans.id }, bob, 'editor')
    expect(await bob.api.bases.listBases({ spaceId })).toEqual([
      {
        id: plans.id,
        name: 'Plans',
        spaceId,
        icon: null,
        role: 'editor',
        createdBy: ada.userId,
        createdTime: '2026-01-01T00:00:00.000Z',
        lastModifiedTime: '2026-01-01T00:00:00.000Z',
      },
      expect.objectContaining({ name: 'Notes', role: 'viewer' }),
    ])
    expect(await bob.api.bases.getBase({ baseId: plans.id })).toMatchObject({ role: 'editor' })
    const { api } = await world.newPerson('Eve')
    await expect(api.bases.listBases({ spaceId })).rejects.toMatchObject(hidden)
  })

  test('[BASE-4] lists all bases within reach, those of single bases included', async () => {
    const plans = await create('Plans')
    const notes = await create('Notes')
    const own = await create('Own', bob)
    await join({ baseId: notes.id }, bob, 'viewer')
    const list = async (api: Person['api']) =>
      (await api.bases.listAllBases({})).map(({ name, role }) => [name, role])
    expect(await list(bob.api)).toHaveLength(2)
    expect(await list(bob.api)).toEqual(
      expect.arrayContaining([
        ['Notes', 'viewer'],
        ['Own', 'owner'],
      ]),
    )
    const reach = { spaceIds: [bob.spaceId], baseIds: [plans.id] }
    expect(await list(byToken(bob, ['base|read_all'], reach))).toEqual([['Own', 'owner']])
    const byBase = byToken(bob, ['base|read', 'base|read_all'], { baseIds: [notes.id] })
    expect(await list(byBase)).toEqual([['Notes', 'viewer']])
    await expect(byBase.bases.getBase({ baseId: own.id })).rejects.toMatchObject(hidden)
    await expect(byToken(bob, ['base|read']).bases.listAllBases({})).rejects.toMatchObject(refused)
  })

  test('[BASE-4] lists as many bases as a list may hold, by space and place', async () => {
    expect(limits.basesPerList).toBe(10_000)
    for (const name of ['Plans', 'Notes', 'Ideas']) await create(name)
    world.clock.advance(1)
    const { id: spaceId } = await ada.api.spaces.createSpace({ name: 'Later' })
    await ada.api.bases.createBase({ spaceId, name: 'Last' })
    const list = async (api: Person['api'], most: number) => {
      const bases = await withLimits({ basesPerList: most }, () => api.bases.listAllBases({}))
      return bases.map(({ name }) => name)
    }
    const reached = byToken(ada, ['base|read_all'], { spaceIds: [ada.spaceId, spaceId] })
    for (const api of [ada.api, reached]) {
      expect(await list(api, 2)).toEqual(['Plans', 'Notes'])
      expect(await list(api, 4)).toEqual(['Plans', 'Notes', 'Ideas', 'Last'])
    }
  })

  test('[BASE-6] changes name and icon, and counts a version only when something changed', async () => {
    const { id: baseId } = await create('Plans')
    world.clock.advance(1000)
    const settings = { spaceId: ada.spaceId, name: 'Lab', icon: '🧪', version: 2 }
    const change = { baseId, name: 'Lab', icon: '🧪' }
    expect(await ada.api.bases.updateBase(change)).toEqual(settings)
    for (const input of [change, { baseId }]) {
      expect(await ada.api.bases.updateBase(input)).toEqual(settings)
    }
    expect(await ada.api.bases.getBase({ baseId })).toMatchObject({
      createdTime: '2026-01-01T00:00:00.000Z',
      lastModifiedTime: '2026-01-01T00:00:01.000Z',
    })
    expect(await ada.api.bases.updateBase({ baseId, icon: null })).toMatchObject({ icon: null })
    await join({ baseId }, bob, 'editor')
    await expect(bob.api.bases.updateBase({ baseId, name: 'x' })).rejects.toMatchObject(refused)
    await expect(bob.api.bases.deleteBase({ baseId })).rejects.toMatchObject(refused)
  })

  test('[BASE-7] hides bases of others, deleted ones and those of a deleted space alike', async () => {
    const { id: baseId } = await create('Plans')
    const { id: goneId } = await create('Gone')
    await expect(bob.api.bases.getBase({ baseId })).rejects.toMatchObject(hidden)
    await expect(bob.api.bases.updateBase({ baseId, name: 'x' })).rejects.toMatchObject(hidden)
    await ada.api.bases.deleteBase({ baseId: goneId })
    await expect(ada.api.bases.deleteBase({ baseId: goneId })).rejects.toMatchObject(hidden)
    expect(await names()).toEqual(['Plans'])
    await ada.api.spaces.deleteSpace({ spaceId: ada.spaceId })
    await expect(ada.api.bases.getBase({ baseId })).rejects.toMatchObject(hidden)
    expect(await ada.api.bases.listAllBases({})).toEqual([])
  })

  test('[BASE-8] refuses anchors that are the base itself, unseen or elsewhere', async () => {
    const { id: baseId } = await create('Plans')
    const { id: unseenId } = await create('Notes')
    const other = await ada.api.spaces.createSpace({ name: 'Other' })
    const { id: elsewhereId } = await ada.api.bases.createBase({ spaceId: other.id })
    await join({ baseId }, bob, 'creator')
    const move = (person: Person, anchorId: string) =>
      person.api.bases.moveBase({ baseId, anchorId, position: 'after' })
    await expect(move(ada, baseId)).rejects.toMatchObject({
      code: 'validation_error',
      data: { issues: [{ path: ['anchorId'] }] },
    })
    await expect(move(ada, elsewhereId)).rejects.toMatchObject(hidden)
    await expect(move(ada, 'bseNone')).rejects.toMatchObject(hidden)
    await expect(move(bob, unseenId)).rejects.toMatchObject(hidden)
    await expect(
      byToken(ada, ['base|update'], { baseIds: [baseId] }).bases.moveBase({
        baseId,
        anchorId: unseenId,
        position: 'after',
      }),
    ).rejects.toMatchObject(hidden)
    expect(await names()).toEqual(['Plans', 'Notes'])
  })

  test('[BASE-9] always stands where it was moved to, however often that was', async () => {
    const bases = await Promise.all(['A', 'B', 'C', 'D'].map((name) => create(name)))
    const moveArbitrary = fc.record({
      moved: fc.nat(3),
      anchor: fc.nat(3),
      position: fc.constantFrom('before' as const, 'after' as const),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(moveArbitrary, { maxLength: 20 }), async (moves) => {
        const expected = await names()
        for (const { moved, anchor, position } of moves) {
          const [base, beside] = [bases[moved], bases[anchor]]
          if (!base || !beside || base === beside) continue
          await ada.api.bases.moveBase({ baseId: base.id, anchorId: beside.id, position })
          expected.splice(expected.indexOf(base.name), 1)
          const index = expected.indexOf(beside.name)
          expected.splice(position === 'after' ? index + 1 : index, 0, base.name)
          expect(await names()).toEqual(expected)
        }
      }),
      { numRuns: 20 },
    )
    for (let round = 0; round < 60; round++) {
      for (const moved of ['B', 'C'] as const) {
        const baseId = bases.find(({ name }) => name === moved)?.id ?? ''
        const anchorId = bases[0]?.id ?? ''
        await ada.api.bases.moveBase({ baseId, anchorId, position: 'after' })
        const listed = await names()
        expect(listed[listed.indexOf('A') + 1]).toBe(moved)
      }
    }
  })

  test('[BASE-10] says what the role and the token allow together', async () => {
    const { id: baseId } = await create('Plans')
    await join({ baseId }, bob, 'creator')
    const ofBob = await bob.api.bases.getBasePermissions({ baseId })
    expect(Object.keys(ofBob).toSorted()).toEqual(actions.toSorted())
    for (const action of actions) {
      const isOnSpace = action.startsWith('space|') || action === 'base|create'
      const expected = !isOnSpace && canTake('creator', action)
      expect([action, ofBob[action]]).toEqual([action, expected])
    }
    const ofAda = await ada.api.bases.getBasePermissions({ baseId })
    expect(actions.filter((action) => !ofAda[action])).toEqual([])
    const scopes = ['base|read', 'record|read', 'base|db_connection'] as const
    const ofToken = await byToken(bob, scopes).bases.getBasePermissions({ baseId })
    const allowed = actions.filter((action) => ofToken[action])
    expect(allowed.toSorted()).toEqual(['base|read', 'record|read'])
  })

  test('[BASE-10] says nothing of the space to who has no role there, or does not reach it', async () => {
    const { id: baseId } = await create('Plans')
    const deniedTo = async (person: Person, reach?: Parameters<typeof byToken>[2]) => {
      const allowed = await byToken(person, actions, reach).bases.getBasePermissions({ baseId })
      return actions.filter((action) => !allowed[action])
    }
    const { spaceId } = ada
    const ofSpace = actions.filter((one) => one.startsWith('space|') || one === 'base|create')
    expect(await deniedTo(ada, { baseIds: [baseId] })).toEqual(ofSpace)
    expect(await deniedTo(ada, { spaceIds: [spaceId] })).toEqual([])
    await join({ baseId }, bob, 'creator')
    expect(await deniedTo(bob)).toEqual([...ofSpace, 'base|db_connection'])
    await expect(bob.api.bases.createBase({ spaceId })).rejects.toMatchObject(hidden)
  })

  test('[BASE-11] refuses one base more than a space may have', async () => {
    const { spaceId } = ada
    expect(limits.basesPerSpace).toBe(1_000)
    // As many as that at once wait for connections for longer than a call may where the machine has other work.
    await withLimits({ basesPerSpace: 100 }, async () => {
      const all = Array.from({ length: limits.basesPerSpace }, () =>
        ada.api.bases.createBase({ spaceId }),
      )
      const last = (await Promise.all(all)).at(-1)
      const refusal = { code: 'validation_error' }
      await expect(ada.api.bases.createBase({ spaceId })).rejects.toMatchObject(refusal)
      await ada.api.bases.deleteBase({ baseId: last?.id ?? '' })
      await ada.api.bases.createBase({ spaceId })
    })
  })

  test('[BASE-6] refuses a change of a version that the caller has not seen', async () => {
    const { id: baseId } = await create('Plans')
    await ada.api.bases.updateBase({ baseId, name: 'Lab' }, { ifMatch: [1] })
    await expect(
      ada.api.bases.updateBase({ baseId, name: 'Late' }, { ifMatch: [1] }),
    ).rejects.toMatchObject({ code: 'precondition_failed' })
    expect(await names()).toEqual(['Lab'])
  })

  test('[BASE-12] tells what happened, and nothing of what did not', async () => {
    const events: [string, string][] = []
    world.engine.subscribe(({ name, payload }) => {
      if ('spaceId' in payload && 'baseId' in payload) events.push([name, payload.baseId])
    })
    const { id: a } = await create('A')
    const { id: b } = await create('B')
    await ada.api.bases.updateBase({ baseId: a, name: 'A' })
    await ada.api.bases.moveBase({ baseId: a, anchorId: b, position: 'before' })
    await ada.api.bases.updateBase({ baseId: a, name: 'C' })
    await ada.api.bases.moveBase({ baseId: a, anchorId: b, position: 'after' })
    await ada.api.bases.deleteBase({ baseId: b })
    expect(events).toEqual([
      ['base.created', a],
      ['base.created', b],
      ['base.updated', a],
      ['base.updated', a],
      ['base.deleted', b],
    ])
  })
})
