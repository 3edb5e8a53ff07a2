import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { type BaseWorld, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { jobKinds } from '../../../job-kinds.ts'
import { runNextJob } from '../../../jobs/run-next-job.ts'
import type { Table } from '../../../tables/table.ts'

const hidden = { code: 'not_found' }

describeOnEveryStorage('bases and spaces that go for good', (storage) => {
  let world: BaseWorld
  beforeEach(async () => {
    world = await openBaseWorld(storage)
  })
  afterEach(() => world.close())

  const failures: unknown[] = []
  const runOne = () => {
    const revision = () => `claim ${Math.random()}`
    const ids = { next: () => '', many: () => [], choice: () => '', revision }
    const ports = { store: world.engine.store, clock: world.clock, ids }
    return runNextJob(ports, jobKinds, (error) => failures.push(error))
  }
  /** Does what is due in the background. Answers how many jobs that took. */
  const settle = async () => {
    let runs = 0
    while (await runOne()) runs++
    expect(failures).toEqual([])
    return runs
  }

  /** A base with tables that are linked, one of them in the trash, and nodes of every type. */
  const fill = async (baseId: string) => {
    const { api } = world
    const one = await api.tables.createTable({ baseId, name: 'One' })
    const two = await api.tables.createTable({ baseId, name: 'Two' })
    await api.fields.createField({
      tableId: one.id,
      type: 'link',
      name: 'Twos',
      options: { relationship: 'manyMany', foreignTableId: two.id },
    })
    const [from, to] = [one.records[0]?.id ?? '', two.records[0]?.id ?? '']
    const fields = { Twos: [{ id: to }] }
    await api.records.updateRecord({ tableId: one.id, recordId: from, record: { fields } })
    const gone = await api.tables.createTable({ baseId, name: 'Gone' })
    await api.tables.deleteTable({ baseId, tableId: gone.id })
    for (const resourceType of ['folder', 'dashboard', 'workflow'] as const) {
      await api.tree.createNode({ baseId, resourceType, name: resourceType })
    }
    return one.id
  }

  /** What is left of a base in the storage: a table, nodes, roles. */
  const leftOf = (baseId: string) =>
    world.engine.store.write(async (tx) => ({
      table: await tx.purge.nextTable(baseId),
      nodes: await tx.nodes.list(baseId),
      roles: await tx.collaborators.list([{ resourceType: 'base', resourceId: baseId }]),
    }))
  const nothing = { table: undefined, nodes: [], roles: [] }

  test('[BASE-14] takes a base out of reach at once, and all of it away in slices', async () => {
    const { api, baseId, ada } = world
    const other = await api.bases.createBase({ spaceId: ada.spaceId })
    const tableId = await fill(baseId)
    await fill(other.id)
    const reader = await api.tables.createTable({ baseId: other.id, name: 'Reader' })
    const link = await api.fields.createField({
      tableId: reader.id,
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId: tableId, isOneWay: true },
    })
    const viewer = await world.newCollaborator('Bob', 'viewer')
    await settle()
    const before = await api.bases.verifyBase({ baseId: other.id })
    await expect(viewer.api.bases.deleteBasePermanently({ baseId })).rejects.toMatchObject({
      code: 'restricted_resource',
    })
    const events = await world.heard(() => api.bases.deleteBasePermanently({ baseId }))
    expect(events[0]).toMatchObject({ name: 'base.deleted', baseId })
    for (const call of [
      () => api.bases.getBase({ baseId }),
      () => api.records.listRecords({ tableId }),
      () => api.bases.deleteBasePermanently({ baseId }),
    ]) {
      await expect(call()).rejects.toMatchObject(hidden)
    }
    const { table } = await leftOf(baseId)
    expect(table).toBeDefined()
    const runs = await withLimits({ rowsPurgedAtOnce: 1 }, settle)
    expect(runs).toBeGreaterThan(3)
    expect(await leftOf(baseId)).toEqual(nothing)
    const count = (one: Table) =>
      world.engine.store.read(async (tx) =>
        tx.recordScanner.count(await tx.fields.schemaOf(one), 10),
      )
    await expect(count(table as Table)).rejects.toThrow()
    const broken = await api.fields.getField({ tableId: reader.id, fieldId: link.id })
    expect(broken).toMatchObject({ hasError: true })
    expect((await api.bases.verifyBase({ baseId: other.id })).records).toEqual(before.records)
  })

  test('[BASE-14] takes so many bytes of a table away at a time, where that takes long', async () => {
    const { api, baseId } = world
    const records = Array.from({ length: 5 }, () => ({ fields: { Name: 'x'.repeat(1_000) } }))
    await api.tables.createTable({ baseId, records })
    await settle()
    await api.bases.deleteBasePermanently({ baseId })
    const left = new Set<number>()
    const count = () =>
      world.engine.store.write(async (tx) => {
        const table = await tx.purge.nextTable(baseId)
        if (table) left.add(await tx.recordScanner.count(await tx.fields.schemaOf(table), 10))
      })
    await withLimits({ bytesPerCalculation: 2_500 }, async () => {
      for (await count(); await runOne(); await count());
    })
    expect([...left]).toEqual(storage.name.includes('sqlite') ? [5, 3, 1] : [5])
    expect(await leftOf(baseId)).toEqual(nothing)
  })

  test('[SPACE-8] takes a space with all its bases', async () => {
    const { api } = world
    const { id: spaceId } = await api.spaces.createSpace({ name: 'Short' })
    const bases = [await api.bases.createBase({ spaceId }), await api.bases.createBase({ spaceId })]
    for (const { id } of bases) await fill(id)
    await api.bases.deleteBase({ baseId: bases[1]?.id ?? '' })
    await api.spaces.deleteSpacePermanently({ spaceId })
    await expect(api.spaces.getSpace({ spaceId })).rejects.toMatchObject(hidden)
    await expect(api.bases.listBases({ spaceId })).rejects.toMatchObject(hidden)
    expect((await api.spaces.listSpaces({})).map(({ id }) => id)).not.toContain(spaceId)
    await settle()
    for (const { id } of bases) expect(await leftOf(id)).toEqual(nothing)
    const left = await world.engine.store.write((tx) => tx.purge.nextBaseId(spaceId))
    expect(left).toBeUndefined()
  })

  test('[BASE-15] takes a base out of the trash for good, by who could delete it, once', async () => {
    const { api, baseId } = world
    await fill(baseId)
    const creator = await world.newCollaborator('Cas', 'creator')
    const editor = await world.newCollaborator('Edi', 'editor')
    await api.bases.deleteBase({ baseId })
    const userId = creator.userId
    const scopes = new Set(['base|read'] as const)
    const byToken = world.engine.as({ kind: 'token', userId, tokenId: 'acc1', scopes })
    for (const call of [
      () => editor.api.bases.deleteBasePermanently({ baseId }),
      () => byToken.bases.deleteBasePermanently({ baseId }),
      () => creator.api.bases.deleteBase({ baseId }),
      () => creator.api.bases.deleteBasePermanently({ baseId: 'bseNone' }),
    ]) {
      await expect(call()).rejects.toMatchObject(hidden)
    }
    expect((await leftOf(baseId)).table).toBeDefined()
    const events = await world.heard(() => creator.api.bases.deleteBasePermanently({ baseId }))
    expect(events).toMatchObject([{ name: 'base.deleted', baseId }])
    const again = () => creator.api.bases.deleteBasePermanently({ baseId })
    await expect(again()).rejects.toMatchObject(hidden)
    await withLimits({ rowsPurgedAtOnce: 1 }, settle)
    expect(await leftOf(baseId)).toEqual(nothing)
    await expect(again()).rejects.toMatchObject(hidden)
  })

  test('[BASE-15] takes a base of a deleted space, before and while the space goes for good', async () => {
    const { api } = world
    const { id: spaceId } = await api.spaces.createSpace({ name: 'Short' })
    const bases = [await api.bases.createBase({ spaceId }), await api.bases.createBase({ spaceId })]
    const [first, second] = bases.map(({ id }) => id) as [string, string]
    for (const baseId of [first, second]) await fill(baseId)
    await api.spaces.deleteSpace({ spaceId })
    await api.bases.deleteBasePermanently({ baseId: first })
    await api.spaces.deleteSpacePermanently({ spaceId })
    await expect(api.bases.deleteBasePermanently({ baseId: second })).rejects.toMatchObject(hidden)
    await settle()
    for (const baseId of [first, second]) expect(await leftOf(baseId)).toEqual(nothing)
  })

  test('[SPACE-9] takes a space out of the trash for good, by an owner, once', async () => {
    const { api, ada, baseId } = world
    const { spaceId } = ada
    const creator = await world.newPerson('Cas')
    const collaborators = [{ principalId: creator.userId, principalType: 'user' as const }]
    await api.collaborators.addSpaceCollaborators({ spaceId, collaborators, role: 'creator' })
    await fill(baseId)
    await api.spaces.deleteSpace({ spaceId })
    await expect(creator.api.spaces.deleteSpacePermanently({ spaceId })).rejects.toMatchObject(
      hidden,
    )
    await api.spaces.deleteSpacePermanently({ spaceId })
    await expect(api.spaces.deleteSpacePermanently({ spaceId })).rejects.toMatchObject(hidden)
    await settle()
    expect(await leftOf(baseId)).toEqual(nothing)
    const left = await world.engine.store.write((tx) => tx.purge.nextBaseId(spaceId))
    expect(left).toBeUndefined()
  })
})
