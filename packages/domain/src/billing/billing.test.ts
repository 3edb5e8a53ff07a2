import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { plansLimitedTo } from '@gateleg/testing/factories/plans-limited-to'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { textFile } from '@gateleg/testing/worlds/place'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultCatalogue } from './default-catalogue.ts'
import { Plans } from './plans.ts'
import type { PlanLimits } from './product.ts'

describeOnEveryStorage('billing', (storage) => {
  let world: TableWorld
  let table: TestTable
  let plans: Plans

  beforeEach(async () => {
    plans = new Plans()
    world = await openTableWorld(storage, { plans, blobs: new MemoryBlobStore() })
    table = await world.makeNames('Books', 'a', 'b')
  })
  afterEach(() => world.close())

  const limit = (to: Partial<PlanLimits>) => plans.replace(plansLimitedTo(to).catalogue)
  const create = (count: number) =>
    world.api.records.createRecords({
      tableId: table.id,
      records: Array.from({ length: count }, () => ({ fields: {} })),
    })
  const usage = async () => {
    const { spaceId } = world.ada
    return (await world.api.billing.getSpaceUsage({ spaceId })).usage
  }
  const refusedBy = (name: string) => ({ code: 'payment_required', data: { limit: name } })

  test('[BILL-1] products are answered as the catalogue has them, whole and by halves', async () => {
    const { billing } = world.api
    const { baseProducts, addOnProducts } = defaultCatalogue
    expect(await billing.listProducts()).toEqual({ baseProducts, addOnProducts })
    expect(await billing.listBaseProducts()).toEqual(baseProducts)
    expect(await billing.listAddOnProducts()).toEqual(addOnProducts)
  })

  test('[BILL-5] the usage of a space tells its level, what that allows and what is there', async () => {
    const { spaceId } = world.ada
    await world.newCollaborator('Bob', 'editor')
    const { limit } = plans.of(spaceId)
    expect(await world.api.billing.getSpaceUsage({ spaceId })).toEqual({
      level: 'enterprise',
      limit,
      usage: { rows: 2, attachmentBytes: 0, collaborators: 2 },
    })
    const { recordIds } = table
    await world.api.records.deleteRecords({ tableId: table.id, recordIds: [...recordIds] })
    world.clock.advance(60_000)
    expect(await usage()).toMatchObject({ rows: 0 })
  })

  test('[BILL-6] [BILL-9] records beyond the level are refused whole, until deleted ones made room', async () => {
    limit({ maxRows: 5 })
    await create(2)
    await world.expectNoTrace(() => create(2), refusedBy('maxRows'))
    const { records } = await create(1)
    await world.expectNoTrace(() => create(1), {
      ...refusedBy('maxRows'),
      message:
        'The level "enterprise" of this space allows 5 records (maxRows), and there are 5: remove some, or give the space a higher level',
    })
    const recordId = records[0]?.id ?? ''
    await world.api.records.updateRecord({ tableId: table.id, recordId, record: { fields: {} } })
    await world.api.records.deleteRecord({ tableId: table.id, recordId })
    world.clock.advance(5_000)
    await create(1)
    await expect(create(1)).rejects.toMatchObject(refusedBy('maxRows'))
    world.clock.advance(61_000)
    await expect(create(1)).rejects.toMatchObject(refusedBy('maxRows'))
    expect(await usage()).toMatchObject({ rows: 5 })
  })

  test('[BILL-6] records are refused by whatever way they would come', async () => {
    limit({ maxRows: 3 })
    const { api, baseId } = world
    const tableId = table.id
    const full = refusedBy('maxRows')
    const [order] = table.recordIds
    const node = (await api.tree.listNodes({ baseId })).find(
      ({ resourceId }) => resourceId === tableId,
    )
    const nodeId = node?.id ?? ''
    for (const call of [
      () => api.tables.createTable({ baseId }),
      () => api.tree.duplicateNode({ baseId, nodeId, includeRecords: true }),
    ]) {
      await world.expectNoTrace(call, full)
    }
    await api.records.duplicateRecord({ tableId, recordId: order ?? '' })
    const view = await api.tables.getDefaultView({ baseId, tableId })
    const paste = () =>
      api.selections.pasteCells({
        tableId,
        viewId: view.id,
        ranges: [
          [0, 3],
          [0, 3],
        ],
        content: 'x\ny',
      } as never)
    await world.expectNoTrace(paste, full)
    await api.tables.createTable({ baseId, records: [] })
  })

  test('[BILL-6] records that come back from the trash count like new ones', async () => {
    limit({ maxRows: 2 })
    const { api } = world
    const [recordId = ''] = table.recordIds
    await api.records.deleteRecord({ tableId: table.id, recordId })
    world.clock.advance(61_000)
    await create(1)
    const ofTable = { resourceId: table.id, resourceType: 'table' } as const
    const [entry] = (await api.trash.listTrashItems(ofTable)).trashItems
    const restore = () => api.trash.restoreTrash({ trashId: entry?.id ?? '' })
    await world.expectNoTrace(restore, refusedBy('maxRows'))
    limit({ maxRows: 3 })
    await restore()
    expect(await world.cellsOf(table, 'Name')).toHaveLength(3)
  })

  test('[BILL-6] what comes back with a table, a base or a space counts like new records', async () => {
    const { api } = world
    const { id: spaceId } = await api.spaces.createSpace({ name: 'Returning' })
    const { id: baseId } = await api.bases.createBase({ spaceId, name: 'Base' })
    const records = Array.from({ length: 3 }, () => ({ fields: {} }))
    const { id: tableId } = await api.tables.createTable({ baseId, records })
    await api.tables.createTable({ baseId, records })
    const entryOf = async (list: Promise<{ trashItems: readonly { id: string }[] }>) =>
      (await list).trashItems[0]?.id ?? ''
    const returns = [
      async () => {
        await api.tables.deleteTable({ baseId, tableId })
        return entryOf(api.trash.listTrashItems({ resourceId: baseId, resourceType: 'base' }))
      },
      async () => {
        await api.bases.deleteBase({ baseId })
        return entryOf(api.trash.listTrash({ resourceType: 'base', spaceId }))
      },
      async () => {
        await api.spaces.deleteSpace({ spaceId })
        return entryOf(api.trash.listTrash({ resourceType: 'space' }))
      },
    ]
    for (const removed of returns) {
      limit({ maxRows: 5 })
      const trashId = await removed()
      world.clock.advance(61_000)
      const restore = () => api.trash.restoreTrash({ trashId })
      await world.expectNoTrace(restore, refusedBy('maxRows'))
      limit({ maxRows: 6 })
      await restore()
      const others = await api.tables.listTables({ baseId })
      expect(others.map(({ id }) => id)).toContain(tableId)
    }
  })

  test('[BILL-6] what other tables, and deleted ones, hold counts as far as it is there', async () => {
    const other = await world.makeNames('Authors', 'x', 'y')
    limit({ maxRows: 4 })
    await expect(create(1)).rejects.toMatchObject(refusedBy('maxRows'))
    await world.api.tables.deleteTable({ baseId: world.baseId, tableId: other.id })
    world.clock.advance(5_000)
    await create(2)
    await expect(create(1)).rejects.toMatchObject(refusedBy('maxRows'))
  })

  test('[BILL-6] deleted records of a table that is gone make no room in others', async () => {
    const { api, baseId } = world
    const other = await world.makeNames('Authors', 'x', 'y', 'z')
    limit({ maxRows: 5 })
    await api.records.deleteRecords({ tableId: other.id, recordIds: [...other.recordIds] })
    world.clock.advance(5_000)
    await create(1)
    await api.tables.deleteTable({ baseId, tableId: other.id })
    world.clock.advance(5_000)
    await world.expectNoTrace(() => create(3), refusedBy('maxRows'))
    await create(2)
  })

  test('[BILL-10] a write looks up nothing without a limit, and once in five seconds with one', async () => {
    let lookUps = 0
    const counting = await openTableWorld(
      {
        name: storage.name,
        open: (ports) =>
          storage.open(ports, (store) => ({
            ...store,
            giveWay: () => store.giveWay(),
            read: (work, options) => store.read(work, options),
            write: (work, options) =>
              store.write((tx) => {
                const { usage } = tx
                const watched = {
                  recordsAtMost: (id: string) => {
                    lookUps++
                    return usage.recordsAtMost(id)
                  },
                }
                return work(
                  new Proxy(tx, {
                    get: (target, name) =>
                      name === 'usage'
                        ? Object.assign(Object.create(usage), watched)
                        : bound(target, name),
                  }),
                )
              }, options),
          })),
      },
      { plans },
    )
    try {
      const { id: tableId } = await counting.makeNames('Books', 'a')
      const createOne = () =>
        counting.api.records.createRecords({ tableId, records: [{ fields: {} }] })
      await createOne()
      expect(lookUps).toBe(0)
      limit({ maxRows: 1_000 })
      for (let made = 0; made < 5; made++) await createOne()
      expect(lookUps).toBe(1)
      counting.clock.advance(5_000)
      for (let made = 0; made < 5; made++) await createOne()
      expect(lookUps).toBe(2)
    } finally {
      await counting.close()
    }
  })

  test('[BILL-7] a file beyond the level is refused, and not kept', async () => {
    const field = await world.addField(table, { type: 'attachment', name: 'Files' })
    limit({ maxSizeAttachments: 10 })
    const place = { tableId: table.id, recordId: table.recordIds[0] ?? '', fieldId: field.id }
    const upload = () => world.api.attachments.uploadAttachment({ ...place, file: textFile })
    await upload()
    await world.expectNoTrace(upload, refusedBy('maxSizeAttachments'))
    world.clock.advance(5_000)
    await world.expectNoTrace(upload, refusedBy('maxSizeAttachments'))
    expect(await usage()).toMatchObject({ attachmentBytes: 6 })
  })

  test('[BILL-7] files that a copy brings into another space are refused beyond its level', async () => {
    const { api, baseId } = world
    const { id: fieldId } = await world.addField(table, { type: 'attachment', name: 'Files' })
    const recordId = table.recordIds[0] ?? ''
    const place = { tableId: table.id, recordId, fieldId }
    await api.attachments.uploadAttachment({ ...place, file: textFile })
    const { id: spaceId } = await api.spaces.createSpace({ name: 'Elsewhere' })
    const copy = () => api.bases.duplicateBase({ fromBaseId: baseId, spaceId, withRecords: true })
    limit({ maxSizeAttachments: 5 })
    await expect(copy()).rejects.toMatchObject(refusedBy('maxSizeAttachments'))
    expect(await api.bases.listBases({ spaceId })).toEqual([])
    limit({ maxSizeAttachments: 6 })
    await copy()
    const { usage } = await api.billing.getSpaceUsage({ spaceId })
    expect(usage).toMatchObject({ attachmentBytes: 6 })
  })

  test('[BILL-7] [BASE-28] files that leave with a base make room at once, to whom was refused before too', async () => {
    const { api, baseId, ada } = world
    const { id: otherId } = await api.bases.createBase({ spaceId: ada.spaceId })
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'attachment', name: 'Files' },
    ]
    const other = await api.tables.createTable({ baseId: otherId, fields } as never)
    const field = await world.addField(table, { type: 'attachment', name: 'Files' })
    const [, filesThere] = await api.fields.listFields({ tableId: other.id })
    const [record] = (await api.records.listRecords({ tableId: other.id })).records
    const here = { tableId: table.id, recordId: table.recordIds[0] ?? '', fieldId: field.id }
    const there = { tableId: other.id, recordId: record?.id ?? '', fieldId: filesThere?.id ?? '' }
    const upload = (place: typeof here) =>
      api.attachments.uploadAttachment({ ...place, file: textFile })
    limit({ maxSizeAttachments: 6 })
    await upload(here)
    await expect(upload(there)).rejects.toMatchObject(refusedBy('maxSizeAttachments'))
    const { id: spaceId } = await api.spaces.createSpace({ name: 'Elsewhere' })
    await api.bases.moveBaseToSpace({ baseId, spaceId })
    await upload(there)
    expect(await usage()).toMatchObject({ attachmentBytes: 6 })
  })

  test('[BILL-8] people beyond the level can not join, and one in the space already counts once', async () => {
    limit({ maxCollaborators: 2 })
    const bob = await world.newCollaborator('Bob', 'editor')
    const cleo = await world.newPerson('Cleo')
    const { api, baseId } = world
    const { spaceId } = world.ada
    const principal = (userId: string) => [{ principalId: userId, principalType: 'user' as const }]
    const full = refusedBy('maxCollaborators')
    const add = { role: 'viewer', collaborators: principal(cleo.userId) } as const
    await expect(api.collaborators.addBaseCollaborators({ baseId, ...add })).rejects.toMatchObject(
      full,
    )
    await expect(
      api.collaborators.addSpaceCollaborators({ spaceId, ...add }),
    ).rejects.toMatchObject(full)
    await expect(
      api.collaborators.inviteToSpace({ spaceId, emails: [cleo.email], role: 'viewer' }),
    ).rejects.toMatchObject(full)
    const collaborators = principal(bob.userId)
    await api.collaborators.addSpaceCollaborators({ spaceId, role: 'viewer', collaborators })
    expect(await usage()).toMatchObject({ collaborators: 2 })
  })

  test('[BILL-6] records that many create at once fill what the level allows, and no more', async () => {
    limit({ maxRows: 12 })
    const outcomes = await Promise.allSettled(Array.from({ length: 24 }, () => create(5)))
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    for (const reason of refusals) expect(reason).toMatchObject(refusedBy('maxRows'))
    expect(refusals).toHaveLength(22)
    expect(await usage()).toMatchObject({ rows: 12 })
  })

  test('[BILL-6] records of a write that fails leave their room to others', async () => {
    const tableId = table.id
    const { api } = world
    const unique = { type: 'singleLineText', name: 'Code', unique: true } as const
    await api.fields.createField({ tableId, ...unique })
    const add = (...codes: string[]) => {
      const records = codes.map((Code) => ({ fields: { Code } }))
      return api.records.createRecords({ tableId, fieldKeyType: 'name', records })
    }
    limit({ maxRows: 5 })
    await add('x')
    await expect(add('y', 'x')).rejects.not.toMatchObject({ code: 'payment_required' })
    await add('y', 'z')
    expect(await usage()).toMatchObject({ rows: 5 })
  })

  test('[BILL-6] many who create at once what there is room for are not refused', async () => {
    limit({ maxRows: 2 + 19 * 5 })
    await Promise.all(Array.from({ length: 19 }, () => create(5)))
    expect(await usage()).toMatchObject({ rows: 97 })
  })

  test('[BILL-6] an archive needs room for its living records alone', async () => {
    const { api, baseId } = world
    await create(2)
    await api.records.deleteRecords({ tableId: table.id, recordIds: [...table.recordIds] })
    let content = ''
    for await (const part of await api.archives.exportBase({ baseId, includeTrash: true })) {
      content += part
    }
    const { id: spaceId } = await api.spaces.createSpace({ name: 'Copies' })
    const copy = () => api.archives.importBase({ spaceId, content })
    limit({ maxRows: 1 })
    await expect(copy()).rejects.toMatchObject(refusedBy('maxRows'))
    limit({ maxRows: 2 })
    await copy()
    expect((await api.billing.getSpaceUsage({ spaceId })).usage).toMatchObject({ rows: 2 })
  })

  test('[BILL-8] people come back with a base only where there is room for them', async () => {
    limit({ maxCollaborators: 3 })
    const { api } = world
    const { spaceId } = world.ada
    const add = async (baseId: string, name: string) => {
      const { userId } = await world.newPerson(name)
      const collaborators = [{ principalId: userId, principalType: 'user' as const }]
      await api.collaborators.addBaseCollaborators({ baseId, role: 'viewer', collaborators })
    }
    const { id: baseId } = await api.bases.createBase({ spaceId })
    await add(baseId, 'Bea')
    await api.bases.deleteBase({ baseId })
    for (const name of ['Cem', 'Dov']) await add(world.baseId, name)
    const { trashItems } = await api.trash.listTrash({ resourceType: 'base' })
    const trashId = trashItems.find(({ resourceId }) => resourceId === baseId)?.id ?? ''
    const restore = () => api.trash.restoreTrash({ trashId })
    await world.expectNoTrace(restore, refusedBy('maxCollaborators'))
    limit({ maxCollaborators: 4 })
    await restore()
    expect(await usage()).toMatchObject({ collaborators: 4 })
  })

  test('[BILL-8] people who join bases at once are no more than the level allows', async () => {
    const { api } = world
    const { spaceId } = world.ada
    const people = []
    for (let n = 0; n < 6; n++) people.push(await world.newPerson(`Joining${n}`))
    const bases = await Promise.all(people.map(() => api.bases.createBase({ spaceId })))
    limit({ maxCollaborators: 3 })
    const outcomes = await Promise.allSettled(
      people.map(({ userId }, n) =>
        api.collaborators.addBaseCollaborators({
          baseId: bases[n]?.id ?? '',
          role: 'viewer',
          collaborators: [{ principalId: userId, principalType: 'user' }],
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await usage()).toMatchObject({ collaborators: 3 })
  })

  test('[BASE-28] a base whose records have no room in another space stays where it is', async () => {
    const { bases, spaces } = world.api
    await create(3)
    const { id: spaceId } = await spaces.createSpace({ name: 'Other' })
    const move = () => bases.moveBaseToSpace({ baseId: world.baseId, spaceId })
    limit({ maxRows: 2 })
    await expect(move()).rejects.toMatchObject(refusedBy('maxRows'))
    limit({})
    await move()
    await bases.moveBaseToSpace({ baseId: world.baseId, spaceId: world.ada.spaceId })
  })

  test('[BILL-12] an import ends as failed where there is no more room, with what it made', async () => {
    const content = 'Name\n1\n2\n3\n4\n5\n6\n'
    const { api, baseId } = world
    const into = { baseId, tableId: table.id, content }
    limit({ maxRows: 5 })
    const atOnce = () => api.imports.importRecords(into as never)
    await world.expectNoTrace(atOnce, refusedBy('maxRows'))
    await withLimits({ importRowsAtOnce: 2, rowsPerImportPiece: 2 }, async () => {
      const { id: importId } = await api.imports.importRecords(into as never)
      await world.finishJobs()
      expect(await api.imports.getImport({ baseId, importId })).toMatchObject({
        state: 'failed',
        rowsCreated: 2,
        issues: [{ message: expect.stringContaining('allows 5 records') }],
      })
    })
    expect(await usage()).toMatchObject({ rows: 4 })
  })

  test('[BILL-13] levels are those of the spaces of the caller, within the reach of a token', async () => {
    const bob = await world.newPerson('Bob')
    const { spaceId } = world.ada
    const shown = { spaceId, status: 'active', level: 'enterprise' }
    expect(await world.api.billing.listSubscriptions()).toEqual([shown])
    expect(await world.api.billing.getSubscription({ spaceId })).toEqual(shown)
    const asBob = bob.api.billing.getSubscription({ spaceId })
    await expect(asBob).rejects.toMatchObject({ code: 'not_found' })
    const reach = { spaceIds: new Set<string>(), baseIds: new Set<string>() }
    const scopes = new Set(['space|read'] as const)
    const token = {
      kind: 'token',
      userId: world.ada.userId,
      tokenId: 'acc1',
      scopes,
      reach,
    } as const
    expect(await world.engine.as(token).billing.listSubscriptions()).toEqual([])
  })
})

/** A member of the object, its methods bound to it. */
function bound(target: object, name: PropertyKey): unknown {
  const value = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}
