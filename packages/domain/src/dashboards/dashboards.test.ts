import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { Action } from '../access/roles.ts'

/** What a step of a random history does, by which route, to which of the dashboards. */
interface Step {
  readonly act: 'create' | 'rename' | 'duplicate' | 'delete' | 'restore'
  readonly byTree: boolean
  readonly which: number
  readonly name: string
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('create', 'create', 'rename', 'duplicate', 'delete', 'restore'),
  byTree: fc.boolean(),
  which: fc.nat(20),
  name: fc.constantFrom('Charts', 'Charts 2', 'Sums', ' Sums '),
})

describeOnEveryStorage('dashboards', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let baseId: string

  beforeEach(async () => {
    baseId = (await world.api.bases.createBase({ spaceId: world.ada.spaceId })).id
  })

  const boards = () => world.api.dashboards
  const tree = () => world.api.tree
  const create = (name = 'Charts') => boards().createDashboard({ baseId, name })
  const list = async () => (await boards().listDashboards({ baseId })).map(({ name }) => name)
  const nodesOfDashboards = async () =>
    (await tree().listNodes({ baseId })).filter(({ resourceType }) => resourceType === 'dashboard')
  const expectNoTrace = async (call: () => Promise<unknown>, refusal: object) => {
    const before = await world.api.bases.verifyBase({ baseId })
    await expect(call()).rejects.toMatchObject(refusal)
    expect(await world.api.bases.verifyBase({ baseId })).toEqual(before)
  }
  const inTrash = async () =>
    (await world.api.trash.listTrashItems({ resourceType: 'base', resourceId: baseId })).trashItems

  test('[DASHBOARD-3] refuses names that are blank, too long, or none', async () => {
    const { id: dashboardId } = await create()
    for (const name of ['', '  ', 'x'.repeat(101), 7, undefined]) {
      const refusal = { code: 'validation_error', data: { issues: [{ path: ['name'] }] } }
      const sent = { baseId, name } as never
      await expectNoTrace(() => boards().createDashboard(sent), refusal)
      const renamed = { baseId, dashboardId, name } as never
      await expectNoTrace(() => boards().renameDashboard(renamed), refusal)
      if (name === undefined) continue
      await expectNoTrace(() => boards().duplicateDashboard(renamed), refusal)
    }
  })

  test('[ACCESS-10] are copied by tokens alone that may read them, with what is on them', async () => {
    const { id: dashboardId } = await create()
    const of = { baseId, dashboardId }
    const what = { ...of, name: 'Pie', pluginId: 'plgchart' }
    const { pluginInstallId } = await boards().installOnDashboard(what)
    const by = (...scopes: readonly Action[]) => {
      const actor = { kind: 'token', userId: world.ada.userId, tokenId: 'acc1' } as const
      return world.engine.as({ ...actor, scopes: new Set(scopes) }).dashboards
    }
    const blind = by('base|update')
    const refusal = { code: 'restricted_resource' }
    await expectNoTrace(() => blind.duplicateDashboard(of), refusal)
    await expectNoTrace(() => blind.duplicateDashboardInstall({ ...of, pluginInstallId }), refusal)
    const seeing = by('base|update', 'base|read')
    expect(await seeing.duplicateDashboard(of)).toMatchObject({ name: 'Charts 2' })
    const copy = await seeing.duplicateDashboardInstall({ ...of, pluginInstallId })
    expect(copy).toMatchObject({ name: 'Pie 2' })
  })

  test('[DASHBOARD-2] finds none that is deleted, of another base, or something else', async () => {
    const { id: dashboardId } = await create()
    const { id: elsewhere } = await world.api.bases.createBase({ spaceId: world.ada.spaceId })
    const { id: gone } = await create()
    await boards().deleteDashboard({ baseId, dashboardId: gone })
    const folder = await tree().createNode({ baseId, resourceType: 'folder', name: 'Folder' })
    const [node] = await nodesOfDashboards()
    for (const named of [
      { baseId: elsewhere, dashboardId },
      { baseId, dashboardId: gone },
      { baseId, dashboardId: 'dshNone' },
      { baseId, dashboardId: folder.resourceId },
      { baseId, dashboardId: node?.id ?? '' },
    ]) {
      const refusal = { code: 'not_found' }
      await expect(boards().getDashboard(named)).rejects.toMatchObject(refusal)
      const changes = [
        () => boards().renameDashboard({ ...named, name: 'x' }),
        () => boards().duplicateDashboard(named),
        () => boards().deleteDashboard(named),
      ]
      for (const change of changes) await expectNoTrace(change, refusal)
    }
  })

  test('[DASHBOARD-5] are read by viewers and changed by creators', async () => {
    const { id: dashboardId } = await create()
    const collaborate = async (role: 'viewer' | 'editor' | 'creator') => {
      const person = await world.newPerson(`${role}${baseId}`)
      const collaborators = [{ principalId: person.userId, principalType: 'user' as const }]
      await world.api.collaborators.addBaseCollaborators({ baseId, collaborators, role })
      return person.api.dashboards
    }
    const stranger = (await world.newPerson(`stranger${baseId}`)).api.dashboards
    await expect(stranger.listDashboards({ baseId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(stranger.getDashboard({ baseId, dashboardId })).rejects.toMatchObject({
      code: 'not_found',
    })
    for (const reader of [await collaborate('viewer'), await collaborate('editor')]) {
      expect(await reader.getDashboard({ baseId, dashboardId })).toMatchObject({ name: 'Charts' })
      for (const change of [
        () => reader.createDashboard({ baseId, name: 'x' }),
        () => reader.renameDashboard({ baseId, dashboardId, name: 'x' }),
        () => reader.duplicateDashboard({ baseId, dashboardId }),
        () => reader.deleteDashboard({ baseId, dashboardId }),
      ]) {
        await expectNoTrace(change, { code: 'restricted_resource' })
      }
    }
    const creator = await collaborate('creator')
    await creator.renameDashboard({ baseId, dashboardId, name: 'Sums' })
    expect(await list()).toEqual(['Sums'])
  })

  test('[DASHBOARD-1] have a node of their own, which counts their changes', async () => {
    const made = await create()
    expect(made).toEqual({ id: expect.stringMatching(/^dsh\w{16}$/), name: 'Charts', version: 1 })
    const { id: dashboardId } = made
    const heard = await world.heard(() =>
      boards().renameDashboard({ baseId, dashboardId, name: 'Sums' }),
    )
    expect(heard).toMatchObject([{ name: 'node.updated', resourceId: dashboardId }])
    expect(
      await world.heard(() => boards().renameDashboard({ baseId, dashboardId, name: 'Sums' })),
    ).toEqual([])
    const renamed = { id: dashboardId, name: 'Sums', version: 2 }
    expect(await boards().getDashboard({ baseId, dashboardId })).toEqual(renamed)
    expect(await tree().getNode({ baseId, nodeId: dashboardId })).toMatchObject({ version: 2 })
    const last = await create('Last')
    const copy = await boards().duplicateDashboard({ baseId, dashboardId })
    expect(copy).toMatchObject({ name: 'Sums 2', version: 1 })
    expect((await nodesOfDashboards()).map(({ resourceId }) => resourceId)).toEqual([
      dashboardId,
      copy.id,
      last.id,
    ])
  })

  test('[DASHBOARD-4] are listed oldest first', async () => {
    for (const name of ['One', 'Two', 'Three']) {
      world.clock.advance(1)
      await create(name)
    }
    const [first] = await nodesOfDashboards()
    await tree().moveNode({ baseId, nodeId: first?.id ?? '', parentId: null })
    expect(await list()).toEqual(['One', 'Two', 'Three'])
  })

  test('[DASHBOARD-6] come back from the trash as they were, or go for good', async () => {
    const { id: dashboardId } = await create()
    const { id: other } = await create('Other')
    const before = await tree().getNode({ baseId, nodeId: dashboardId })
    for (const id of [dashboardId, other])
      await boards().deleteDashboard({ baseId, dashboardId: id })
    const [first, second] = await inTrash()
    expect(await list()).toEqual([])
    const trashId = [first, second].find((one) => one?.resourceId === dashboardId)?.id ?? ''
    await world.api.trash.restoreTrash({ trashId })
    expect(await boards().getDashboard({ baseId, dashboardId })).toMatchObject({ version: 1 })
    expect(await tree().getNode({ baseId, nodeId: dashboardId })).toEqual(before)
    await world.api.trash.resetTrash({ resourceType: 'base', resourceId: baseId })
    expect(await inTrash()).toEqual([])
    expect((await world.api.bases.verifyBase({ baseId })).problems).toEqual([])
  })

  test('[DASHBOARD-1] [DASHBOARD-3] are always the same by their own routes and by the tree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        baseId = (await world.api.bases.createBase({ spaceId: world.ada.spaceId })).id
        const expected = new Map<string, string>()
        for (const one of steps) {
          await take(one, expected)
          const told = (await boards().listDashboards({ baseId })).map(({ id, name }) => [id, name])
          const shown = (await nodesOfDashboards()).map(({ resourceId, resourceMeta }) => [
            resourceId,
            resourceMeta.name,
          ])
          const sorted = (pairs: readonly unknown[][]) => pairs.map(String).toSorted()
          expect(sorted(told)).toEqual(sorted([...expected]))
          expect(sorted(shown)).toEqual(sorted([...expected]))
        }
      }),
      { numRuns: 12 },
    )
  })

  /** Takes the step, and notes in the model what it should have done. */
  async function take(
    { act, byTree, which, name }: Step,
    expected: Map<string, string>,
  ): Promise<void> {
    const ids = [...expected.keys()]
    const dashboardId = ids[which % ids.length] ?? ''
    const named = { baseId, dashboardId }
    const nodeId = dashboardId
    if (act === 'create') {
      const made = byTree
        ? (await tree().createNode({ baseId, resourceType: 'dashboard', name })).resourceId
        : (await boards().createDashboard({ baseId, name })).id
      expected.set(made, name.trim())
    } else if (act === 'restore') {
      const trash = await inTrash()
      const entry = trash[which % trash.length]
      if (entry?.resourceType !== 'dashboard') return
      await world.api.trash.restoreTrash({ trashId: entry.id })
      const { id, name: back } = await boards().getDashboard({
        baseId,
        dashboardId: entry.resourceId ?? '',
      })
      expected.set(id, back)
    } else if (dashboardId === '') {
      return
    } else if (act === 'rename') {
      if (byTree) await tree().updateNode({ baseId, nodeId, name })
      else await boards().renameDashboard({ ...named, name })
      expected.set(dashboardId, name.trim())
    } else if (act === 'duplicate') {
      const made = byTree
        ? (await tree().duplicateNode({ baseId, nodeId, name })).resourceId
        : (await boards().duplicateDashboard({ ...named, name })).id
      expected.set(made, name.trim())
    } else {
      if (byTree) await tree().deleteNode({ baseId, nodeId })
      else await boards().deleteDashboard(named)
      expected.delete(dashboardId)
    }
  }
})
