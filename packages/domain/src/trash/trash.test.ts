import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { Action } from '../access/roles.ts'
import { limits } from '../limits.ts'
import { defaultSettings } from '../settings.ts'

const dayMs = 24 * 60 * 60_000

const settings = { ...defaultSettings, trashRetentionDays: 30 }

/** What happens between two pages. */
interface Change {
  readonly kind: string
  readonly entry: number
  readonly isLater: boolean
}

describeOnEveryStorage('trash', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage, { settings }))
  afterEach(() => world.clear())

  const ofTable = ({ id }: { readonly id: string }) => ({
    resourceId: id,
    resourceType: 'table' as const,
  })
  const itemsOf = async (table: { readonly id: string }) =>
    (await world.api.trash.listTrashItems(ofTable(table))).trashItems
  const ofBase = () => ({ resourceId: world.baseId, resourceType: 'base' as const })
  /** What lies in the trash of the base by now, whatever was there before. */
  const inBase = async () => (await world.api.trash.listTrashItems(ofBase())).trashItems

  /** A table with a view, a field and records, of which each was deleted by a call of its own. */
  async function makeDeletions() {
    const { api } = world
    const table = await world.makeNames('Books', 'Emma', 'Sanditon', 'Persuasion')
    const [emma, sanditon, persuasion] = table.recordIds as [string, string, string]
    const { id: tableId } = table
    const { id: viewId } = await api.views.createView({ tableId, type: 'gallery', name: 'Covers' })
    const count = await world.fieldOf(table, 'Count')
    await api.views.deleteView({ tableId, viewId })
    world.clock.advance(1_000)
    await api.fields.deleteField({ tableId, fieldId: count.id })
    world.clock.advance(1_000)
    await api.records.deleteRecord({ tableId, recordId: emma })
    world.clock.advance(1_000)
    await api.records.deleteRecords({ tableId, recordIds: [sanditon, persuasion] })
    return { table, tableId, viewId, fieldId: count.id, emma, sanditon, persuasion }
  }

  test('[TRASH-1] [TRASH-2] each call makes one entry, listed newest first with names', async () => {
    const { table, viewId, fieldId, emma, sanditon, persuasion } = await makeDeletions()
    const { trashItems, userMap, resourceMap, nextCursor } = await world.api.trash.listTrashItems(
      ofTable(table),
    )
    expect(trashItems).toEqual([
      entry('record', [sanditon, persuasion]),
      entry('record', [emma]),
      entry('field', [fieldId]),
      entry('view', [viewId]),
    ])
    expect(nextCursor).toBeNull()
    expect(userMap).toEqual({
      [world.ada.userId]: expect.objectContaining({
        id: world.ada.userId,
        email: 'ada@example.com',
      }),
    })
    expect(resourceMap).toEqual({
      [emma]: { id: emma, name: 'Emma' },
      [sanditon]: { id: sanditon, name: 'Sanditon' },
      [persuasion]: { id: persuasion, name: 'Persuasion' },
      [fieldId]: { id: fieldId, name: 'Count', type: 'number', isLookup: false },
      [viewId]: { id: viewId, name: 'Covers', type: 'gallery' },
    })
  })

  test('[TRASH-2] names the first 20 records of each entry', async () => {
    expect(limits.trashedRecordsNamed).toBe(20)
    const texts = Array.from({ length: 22 }, (_, index) => `Letter ${index}`)
    const table = await world.makeNames('Letters', ...texts)
    const [single, ...many] = table.recordIds
    await world.remove(table, single)
    world.clock.advance(1_000)
    await world.remove(table, ...many)
    const list = () => world.api.trash.listTrashItems(ofTable(table))
    const { trashItems, resourceMap } = await list()
    const [ofMany = []] = trashItems.map(({ resourceIds }) => resourceIds)
    expect(ofMany.toSorted()).toEqual(many.toSorted())
    expect(Object.keys(resourceMap)).toEqual([...ofMany.slice(0, 20), single])
    const lowered = await withLimits({ trashedRecordsNamed: 2 }, list)
    expect(lowered.trashItems).toEqual(trashItems)
    expect(Object.keys(lowered.resourceMap)).toEqual([...ofMany.slice(0, 2), single])
  })

  test('[TRASH-2] tells addresses of people as far as they have one, and a token may read it', async () => {
    const { table } = await makeDeletions()
    const emailBy = async (...scopes: readonly Action[]) =>
      (await byToken(...scopes).listTrashItems(ofTable(table))).userMap[world.ada.userId]?.email
    expect(await emailBy('table|trash_read')).toBeUndefined()
    expect(await emailBy('table|trash_read', 'user|email_read')).toBe('ada@example.com')
    const { id: userId } = await world.engine.ensureUser({ name: 'Nora' })
    const nora = world.engine.as({ userId })
    const { id: spaceId } = await nora.spaces.createSpace({ name: 'Own' })
    await nora.spaces.deleteSpace({ spaceId })
    const { userMap } = await nora.trash.listTrash({ resourceType: 'space' })
    expect(userMap[userId]).toMatchObject({ name: 'Nora' })
    expect(userMap[userId]).not.toHaveProperty('email')
  })

  const byToken = (...scopes: readonly Action[]) => {
    const actor = { kind: 'token', userId: world.ada.userId, tokenId: 'acc1' } as const
    return world.engine.as({ ...actor, scopes: new Set(scopes) }).trash
  }

  test('[TRASH-110] names to a token only what it could read if that were there', async () => {
    const { table, viewId, fieldId, emma, sanditon, persuasion } = await makeDeletions()
    const named = async (...scopes: readonly Action[]) => {
      const trash = byToken('table|trash_read', ...scopes)
      const { trashItems, resourceMap } = await trash.listTrashItems(ofTable(table))
      expect(trashItems).toHaveLength(4)
      return Object.keys(resourceMap)
    }
    expect(await named()).toEqual([])
    expect(await named('field|read')).toEqual([fieldId])
    expect(await named('view|read')).toEqual([viewId])
    expect(await named('record|read')).toEqual([sanditon, persuasion, emma])
  })

  test('[TRASH-110] so it is with what has a node, and with spaces and bases', async () => {
    const { api, baseId, ada } = world
    const made = await Promise.all(
      (['dashboard', 'workflow'] as const).map((resourceType) =>
        api.tree.createNode({ baseId, resourceType, name: 'Node' }),
      ),
    )
    const { id: tableId } = await world.makeNames('Books')
    await api.tables.deleteTable({ baseId, tableId })
    for (const { id: nodeId } of made) await api.tree.deleteNode({ baseId, nodeId })
    const [boardId, flowId] = made.map(({ resourceId }) => resourceId)
    const named = async (...scopes: readonly Action[]) => {
      const { resourceMap } = await byToken('table|trash_read', ...scopes).listTrashItems(ofBase())
      return [tableId, boardId ?? '', flowId ?? ''].filter((id) => id in resourceMap)
    }
    expect(await named()).toEqual([])
    expect(await named('table|read')).toEqual([tableId])
    expect(await named('base|read')).toEqual([boardId])
    expect(await named('automation|read')).toEqual([flowId])
    const gone = await api.bases.createBase({ spaceId: ada.spaceId, name: 'Gone' })
    await api.bases.deleteBase({ baseId: gone.id })
    const bases = async (...scopes: readonly Action[]) =>
      (await byToken('base|delete', ...scopes).listTrash({ resourceType: 'base' })).resourceMap
    expect(await bases()).not.toHaveProperty(gone.id)
    expect(await bases('base|read')).toHaveProperty(gone.id)
  })

  const entry = (resourceType: string, resourceIds: readonly string[]) => ({
    id: expect.stringMatching(/^opr\w{16}$/),
    resourceType,
    resourceIds,
    deletedTime: expect.any(String),
    deletedBy: world.ada.userId,
  })

  test('[TRASH-1] what has a node lies in the trash of the base, by whichever route it went', async () => {
    const { api, baseId } = world
    const before = (await inBase()).map(({ id }) => id)
    const table = await world.makeNames('Books', 'Emma')
    const node = { baseId, resourceType: 'dashboard' as const, name: 'Board' }
    const board = await api.tree.createNode(node)
    const flow = await api.tree.createNode({ ...node, resourceType: 'workflow', name: 'Flow' })
    const folder = await api.tree.createNode({ ...node, resourceType: 'folder', name: 'Folder' })
    await api.tables.deleteTable({ baseId, tableId: table.id })
    for (const { id } of [board, flow, folder]) await api.tree.deleteNode({ baseId, nodeId: id })
    const items = (await inBase()).filter(({ id }) => !before.includes(id))
    expect(items.map(({ resourceType, resourceId }) => [resourceType, resourceId])).toEqual(
      expect.arrayContaining([
        ['table', table.id],
        ['dashboard', board.resourceId],
        ['workflow', flow.resourceId],
      ]),
    )
    expect(items).toHaveLength(3)
    await api.tables.deleteTablePermanently({ baseId, tableId: table.id })
    expect((await inBase()).some(({ resourceId }) => resourceId === table.id)).toBe(false)
  })

  test('[TRASH-3] deleted spaces and bases are listed to who could delete them', async () => {
    const { api, ada } = world
    const { id: spaceId } = await api.spaces.createSpace({ name: 'Club' })
    const { id: baseId } = await api.bases.createBase({ spaceId, name: 'Members' })
    const editor = await world.newPerson('Edith')
    const collaborators = [{ principalId: editor.userId, principalType: 'user' as const }]
    await api.collaborators.addSpaceCollaborators({ spaceId, collaborators, role: 'editor' })
    await api.bases.deleteBase({ baseId })
    const bases = { resourceType: 'base', spaceId } as const
    const { trashItems, resourceMap } = await api.trash.listTrash(bases)
    expect(trashItems).toEqual([
      {
        id: expect.any(String),
        resourceType: 'base',
        resourceId: baseId,
        deletedTime: expect.any(String),
        deletedBy: ada.userId,
      },
    ])
    expect(resourceMap).toEqual({ [baseId]: { id: baseId, name: 'Members', spaceId } })
    expect((await editor.api.trash.listTrash(bases)).trashItems).toEqual([])
    await api.spaces.deleteSpace({ spaceId })
    expect((await api.trash.listTrash(bases)).trashItems).toEqual([])
    const spaces = await api.trash.listTrash({ resourceType: 'space' })
    expect(spaces.trashItems.map(({ resourceId }) => resourceId)).toContain(spaceId)
    expect((await editor.api.trash.listTrash({ resourceType: 'space' })).trashItems).toEqual([])
    await api.spaces.deleteSpacePermanently({ spaceId })
    const left = await api.trash.listTrash({ resourceType: 'space' })
    expect(left.trashItems.map(({ resourceId }) => resourceId)).not.toContain(spaceId)
  })

  test('[TRASH-4] a walk meets each entry once, whatever is deleted and purged meanwhile', async () => {
    const { api } = world
    const names = Array.from({ length: 30 }, (_, index) => `Book ${index}`)
    const table = await world.makeNames('Books', ...names)
    const { id: tableId, recordIds } = table
    for (const recordId of recordIds.slice(0, 25)) {
      await api.records.deleteRecord({ tableId, recordId })
    }
    const all = new Map<string, string>()
    const doomed = recordIds.slice(25).values()
    for (let cursor: string | undefined; ; ) {
      const page = await api.trash.listTrashItems({
        ...ofTable(table),
        pageSize: 10,
        ...(cursor !== undefined && { cursor }),
      })
      for (const { id, resourceIds } of page.trashItems) {
        expect(all.has(id)).toBe(false)
        all.set(id, resourceIds?.[0] ?? '')
      }
      // The entry that the cursor names is purged, and another one comes.
      await api.trash.purgeTrashEntry({ trashId: page.trashItems.at(-1)?.id ?? '' })
      world.clock.advance(1)
      await api.records.deleteRecord({ tableId, recordId: doomed.next().value ?? '' })
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect([...all.values()].toSorted()).toEqual(recordIds.slice(0, 25).toSorted())
  })

  const change = fc.record({
    kind: fc.constantFrom('delete', 'purge', 'restore'),
    entry: fc.nat(11),
    isLater: fc.boolean(),
  })

  test('[TRASH-4] a walk always meets what is there throughout once, whatever is deleted, purged and restored meanwhile', async () => {
    const { api } = world
    const { id: tableId } = await world.makeNames('Walked')
    const check = async (pageSize: number, before: boolean[], changes: Change[][]) => {
      await api.trash.resetTrash({ resourceId: tableId, resourceType: 'table' })
      const living = [...(await world.add({ id: tableId }, ...new Array(20).fill({})))]
      const remove = async (isLater: boolean) => {
        if (isLater) world.clock.advance(1)
        const recordId = living.pop()
        if (recordId !== undefined) await api.records.deleteRecord({ tableId, recordId })
      }
      for (const isLater of before) await remove(isLater)
      const listed = async () => {
        const { trashItems } = await api.trash.listTrashItems(ofTable({ id: tableId }))
        return trashItems.map(({ id }) => id)
      }
      const atFirst = await listed()
      const gone = new Set<string>()
      const met: string[] = []
      let cursor: string | null | undefined
      for (const some of changes) {
        const page = await api.trash.listTrashItems({
          ...{ ...ofTable({ id: tableId }), pageSize, ...(cursor && { cursor }) },
        })
        met.push(...page.trashItems.map(({ id }) => id))
        cursor = page.nextCursor
        if (cursor === null) break
        for (const { kind, entry, isLater } of some) {
          const trashId = atFirst[entry % atFirst.length] ?? ''
          if (kind === 'delete') await remove(isLater)
          else if (!gone.has(trashId)) {
            gone.add(trashId)
            if (kind === 'purge') await api.trash.purgeTrashEntry({ trashId })
            else await api.trash.restoreTrash({ trashId })
          }
        }
      }
      expect(new Set(met).size).toBe(met.length)
      const left = atFirst.filter((id) => !gone.has(id))
      if (cursor === null) expect(met).toEqual(expect.arrayContaining(left))
    }
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        fc.array(fc.array(change, { maxLength: 2 }), { minLength: 12, maxLength: 12 }),
        check,
      ),
      { numRuns: 15 },
    )
  })

  test('[TRASH-4] [TRASH-5] pages and cursors that there are not are refused', async () => {
    const { api } = world
    const { table, tableId } = await makeDeletions()
    const other = await world.makeNames('Others', 'x', 'y', 'z')
    for (const recordId of other.recordIds) {
      await api.records.deleteRecord({ tableId: other.id, recordId })
    }
    const page = { ...ofTable(table), pageSize: 1 }
    const { nextCursor } = await api.trash.listTrashItems({ ...ofTable(other), pageSize: 1 })
    expect(nextCursor).not.toBeNull()
    for (const cursor of [nextCursor ?? '', 'x', '', `${nextCursor}x`]) {
      for (const call of [api.trash.listTrashItems, api.trash.resetTrash]) {
        await world.expectNoTrace(() => call({ ...page, cursor }), invalidAt('cursor'))
      }
    }
    for (const pageSize of [0, 21, 1.5]) {
      const call = () => api.trash.resetTrash({ ...page, pageSize })
      await world.expectNoTrace(call, invalidAt('pageSize'))
    }
    const space = { resourceId: tableId, resourceType: 'space' as never }
    await expect(api.trash.resetTrash(space)).rejects.toMatchObject(invalidAt('resourceType'))
  })

  test('[TRASH-6] a reset by pages purges each page, and all without one', async () => {
    const { api } = world
    const { table } = await makeDeletions()
    const first = await api.trash.resetTrash({ ...ofTable(table), pageSize: 1 })
    expect(first).toEqual({ resetCount: 1, nextCursor: expect.any(String) })
    expect((await itemsOf(table)).map(({ resourceType }) => resourceType)).toEqual([
      ...['record', 'field', 'view'],
    ])
    const cursor = first.nextCursor ?? ''
    const second = await api.trash.resetTrash({ ...ofTable(table), cursor, pageSize: 2 })
    expect(second).toEqual({ resetCount: 2, nextCursor: expect.any(String) })
    const last = await api.trash.resetTrash({ ...ofTable(table), cursor: second.nextCursor ?? '' })
    expect(last).toEqual({ resetCount: 1, nextCursor: null })
    expect(await api.trash.resetTrash(ofTable(table))).toEqual({ resetCount: 0, nextCursor: null })
    const { table: another } = await makeDeletions()
    const whole = await api.trash.resetTrash(ofTable(another))
    expect(whole).toEqual({ resetCount: 4, nextCursor: null })
    expect(await itemsOf(another)).toEqual([])
  })

  test('[TRASH-6] [TRASH-7] the trash of a base takes along what was deleted, not that of its living tables', async () => {
    const { api, baseId } = world
    const { table } = await makeDeletions()
    const gone = await world.makeNames('Gone', 'x')
    await api.tables.deleteTable({ baseId, tableId: gone.id })
    const { resetCount } = await api.trash.resetTrash(ofBase())
    expect(resetCount).toBeGreaterThan(0)
    expect(await inBase()).toEqual([])
    await world.finishJobs()
    expect(await itemsOf(table)).toHaveLength(4)
    const again = await world.makeNames('Gone', 'x')
    expect((await api.tables.getTable({ baseId, tableId: again.id })).dbTableName).toMatch(
      /\.Gone$/,
    )
  })

  test('[TRASH-7] [TRASH-8] what is purged leaves nothing behind', async () => {
    const { api } = world
    const { table, tableId, emma, viewId, fieldId } = await makeDeletions()
    const { hash } = await api.bases.verifyBase({ baseId: world.baseId })
    for (const { id } of await itemsOf(table)) {
      await api.trash.purgeTrashEntry({ trashId: id })
      await expect(api.trash.purgeTrashEntry({ trashId: id })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    expect(await itemsOf(table)).toEqual([])
    await world.finishJobs()
    const verified = await api.bases.verifyBase({ baseId: world.baseId })
    expect(verified).toMatchObject({ problems: [] })
    expect(verified.hash).not.toBe(hash)
    await expect(api.records.getRecordStatus({ tableId, recordId: emma })).rejects.toMatchObject({
      code: 'not_found',
    })
    await world.engine.store.read(async (tx) => {
      const { fields, views } = await tx.canonical.structure(world.baseId)
      const ids = [...fields, ...views].map(({ id }) => id)
      expect(ids).not.toContain(fieldId)
      expect(ids).not.toContain(viewId)
    })
  })

  test('[TRASH-10] what is older than the operator keeps the trash goes, and nothing else', async () => {
    const { table, tableId } = await makeDeletions()
    const more = await world.add(table, { Name: 'Persuasion' })
    world.clock.advance(29 * dayMs)
    await world.remove(table, ...more)
    await world.finishJobs()
    expect(await itemsOf(table)).toHaveLength(5)
    world.clock.advance(2 * dayMs)
    await world.finishJobs()
    expect((await itemsOf(table)).map(({ resourceIds }) => resourceIds)).toEqual([more])
    const [recordId = ''] = table.recordIds
    const status = world.api.records.getRecordStatus({ tableId, recordId })
    await expect(status).rejects.toMatchObject({ code: 'not_found' })
  })

  test('[TRASH-9] an editor reads the trash of a table, and may not purge it', async () => {
    const { table } = await makeDeletions()
    const editor = await world.newCollaborator('Edgar', 'editor')
    const viewer = await world.newCollaborator('Viola', 'viewer')
    const { trashItems } = await editor.api.trash.listTrashItems(ofTable(table))
    expect(trashItems).toHaveLength(4)
    const refusal = { code: 'restricted_resource' }
    const trashId = trashItems[0]?.id ?? ''
    await world.expectNoTrace(() => editor.api.trash.resetTrash(ofTable(table)), refusal)
    await world.expectNoTrace(() => editor.api.trash.purgeTrashEntry({ trashId }), refusal)
    await world.expectNoTrace(() => viewer.api.trash.listTrashItems(ofTable(table)), refusal)
    expect(await itemsOf(table)).toHaveLength(4)
  })
})
