import { plansLimitedTo } from '@gateleg/testing/factories/plans-limited-to'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import type { Person } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { Plans } from '../billing/plans.ts'

const options = { windowId: 'window-1' }
const done = { status: 'fulfilled' }
const empty = { status: 'empty' }

describeOnEveryStorage('undo and redo of what goes to the trash', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage, { plans }))
  const plans = new Plans()
  let api: TableWorld['api']
  let bob: Person
  let table: TestTable
  let tableId: string
  let recordId: string
  let fieldId: string
  let viewId: string

  beforeAll(async () => {
    api = world.api
    bob = await world.newCollaborator('Bob', 'editor')
  })
  beforeEach(async () => {
    table = await world.makeNames('Names', 'a', 'b', 'c')
    tableId = table.id
    recordId = table.recordIds[1] ?? ''
    fieldId = (await world.fieldOf(table, 'Count')).id
    viewId = (await api.views.listViews({ tableId }))[0]?.id ?? ''
  })

  const undo = (at: object = options) => api.undo.undoChange({ tableId }, at)
  const redo = (at: object = options) => api.undo.redoChange({ tableId }, at)
  const failed = (message: RegExp) => ({
    ...{ status: 'failed', errorMessage: expect.stringMatching(message) },
  })
  const set = (fields: object, id = recordId) =>
    bob.api.records.updateRecord({ tableId, recordId: id, record: { fields } } as never)
  const entries = async () =>
    (await api.trash.listTrashItems({ resourceId: tableId, resourceType: 'table' })).trashItems

  /** All that people see of the table, and of another one, but for who changed it last and when. */
  async function stateOf(otherId = tableId) {
    const fields = await api.fields.listFields({ tableId })
    const views = await api.views.listViews({ tableId })
    const { records } = await api.records.listRecords({ tableId, viewId: views[0]?.id })
    const { records: others } = await api.records.listRecords({ tableId: otherId })
    return {
      fields: [fields, await api.fields.listFields({ tableId: otherId })],
      views: views.map(({ lastModifiedTime: _, lastModifiedBy: __, ...view }) => view),
      records: [...records, ...others].map(({ id, fields, autoNumber }) => [
        ...[id, autoNumber, fields],
      ]),
    }
  }

  /** Undoes a command, redoes it and undoes it again, and compares what is there with what was. */
  async function expectWalk(command: () => Promise<unknown>, otherId = tableId) {
    const before = await stateOf(otherId)
    await command()
    const after = await stateOf(otherId)
    expect(after).not.toEqual(before)
    expect(await undo()).toEqual(done)
    expect(await stateOf(otherId)).toEqual(before)
    expect(await redo()).toEqual(done)
    expect(await stateOf(otherId)).toEqual(after)
    expect(await undo()).toEqual(done)
    expect(await undo()).toEqual(empty)
    expect(await stateOf(otherId)).toEqual(before)
  }

  /** A table to which this one links, and a formula over the link. */
  async function link() {
    const other = await world.makeNames('Others', 'x', 'y')
    const { id: linkId } = await world.addField(table, {
      ...{ type: 'link', name: 'Link' },
      options: { relationship: 'manyMany', foreignTableId: other.id },
    })
    const expression = `{${table.primaryId}} & {${linkId}}`
    await world.addField(table, { type: 'formula', name: 'Both', options: { expression } })
    for (const id of table.recordIds) {
      await set({ Link: other.recordIds.map((foreign) => ({ id: foreign })) }, id)
    }
    return { other, linkId }
  }

  test('[UNDO-16] brings deleted records back, with their links, and deletes them again', async () => {
    const { other } = await link()
    const recordIds = table.recordIds.slice(1)
    await expectWalk(() => api.records.deleteRecord({ tableId, recordId }, options), other.id)
    await expectWalk(() => api.records.deleteRecords({ tableId, recordIds }, options), other.id)
    const ranges = [[0, 1]] as never
    const rows = { tableId, viewId, type: 'rows' as const, ranges }
    await expectWalk(() => api.selections.deleteSelectedRecords(rows, options), other.id)
    expect(await entries()).toEqual([])
  })

  test('[UNDO-16] brings deleted fields back, with their values, and deletes them again', async () => {
    const { other, linkId } = await link()
    await expectWalk(() => api.fields.deleteField({ tableId, fieldId }, options))
    const fieldIds = [fieldId, linkId]
    await expectWalk(() => api.fields.deleteFields({ tableId, fieldIds }, options), other.id)
  })

  test('[UNDO-16] brings deleted views back, and deletes them again', async () => {
    await api.views.renameView({ tableId, viewId, name: 'Own' })
    await expectWalk(() => api.views.deleteView({ tableId, viewId }, options))
  })

  test('[UNDO-16] refuses to delete again what somebody changed meanwhile', async () => {
    await api.records.deleteRecord({ tableId, recordId }, options)
    await undo()
    await set({ Count: 99 })
    expect(await redo()).toEqual(failed(/The record .* was changed since/))
    await api.fields.deleteField({ tableId, fieldId }, options)
    await undo()
    await set({ Count: 98 })
    expect(await redo()).toEqual(failed(/The field .* was changed since/))
    await api.views.deleteView({ tableId, viewId }, options)
    await undo()
    await api.views.renameView({ tableId, viewId, name: 'Of Bob' })
    expect(await redo()).toEqual(failed(/The view .* was changed since/))
    expect(await entries()).toEqual([])
    expect(await world.recordOf(table, recordId)).toEqual({ Name: 'b', Count: 98 })
  })

  test('[UNDO-16] refuses what was restored or purged meanwhile, and names that are taken', async () => {
    const lastEntry = async () => ({ trashId: (await entries())[0]?.id ?? '' })
    await api.records.deleteRecord({ tableId, recordId }, options)
    await api.trash.restoreTrash(await lastEntry())
    expect(await undo()).toEqual(failed(/restored or purged since/))
    await api.records.deleteRecord({ tableId, recordId }, options)
    await api.trash.purgeTrashEntry(await lastEntry())
    expect(await undo()).toEqual(failed(/restored or purged since/))
    await api.fields.deleteField({ tableId, fieldId }, options)
    await world.addField(table, { type: 'number', name: 'Count' })
    expect(await undo()).toEqual(failed(/the name "Count" is taken/))
    const [view] = await api.views.listViews({ tableId })
    await api.views.deleteView({ tableId, viewId }, options)
    await api.views.createView({ tableId, type: 'grid', name: view?.name ?? '' })
    expect(await undo()).toEqual(failed(/is taken/))
    expect(await entries()).toHaveLength(2)
  })

  test('[UNDO-4] [UNDO-16] asks for the rights that the trash asks for', async () => {
    const own = `Eve${tableId}`
    const eve = await world.newCollaborator(own, 'editor')
    await eve.api.records.deleteRecord({ tableId, recordId }, options)
    await api.collaborators.changeBaseCollaborator({
      ...{ baseId: world.baseId, principalId: eve.userId, principalType: 'user' as const },
      role: 'commenter',
    })
    const refused = failed(/may not take the action "table\|trash_update"/)
    expect(await eve.api.undo.undoChange({ tableId }, options)).toEqual(refused)
  })

  test('[UNDO-28] waits until the space has room for records that come back', async () => {
    const { api: own, spaceId } = await world.newPerson(`Owner${tableId}`)
    const { id: baseId } = await own.bases.createBase({ spaceId, name: 'Full' })
    const full = await own.tables.createTable({ baseId, records: [{ fields: {} }, { fields: {} }] })
    const place = { tableId: full.id }
    const deleted = full.records.map(({ id }) => id)
    const count = async () => (await own.records.listRecords(place)).records.length
    const noRoom = failed(/allows 2 records/)
    plans.replace(plansLimitedTo({ maxRows: 2 }).catalogue)
    try {
      await own.records.deleteRecords({ ...place, recordIds: deleted }, options)
      const { records } = await own.records.createRecords({ ...place, records: [{ fields: {} }] })
      expect(await own.undo.undoChange(place, options)).toEqual(noRoom)
      expect(await own.undo.undoChange(place, options)).toEqual(noRoom)
      expect(await count()).toBe(1)
      await own.records.deleteRecord({ ...place, recordId: records[0]?.id ?? '' })
      world.clock.advance(61_000)
      expect(await own.undo.undoChange(place, options)).toEqual(done)
      expect(await count()).toBe(2)
      expect(await own.undo.redoChange(place, options)).toEqual(done)
    } finally {
      plans.replace(new Plans().catalogue)
    }
  })

  test('[UNDO-17] takes fields that were added back, and adds them again', async () => {
    const { other } = await link()
    const definition = { tableId, type: 'number' as const, name: 'Added' }
    await expectWalk(() => api.fields.createField(definition, options))
    const order = { viewId, orderIndex: 0.5 }
    await expectWalk(() => api.fields.createField({ ...definition, order }, options))
    const required = { ...definition, notNull: true, options: { defaultValue: 7 } }
    await expectWalk(() => api.fields.createField(required as never, options))
    const linked = { relationship: 'oneMany', foreignTableId: other.id }
    const ofLink = { tableId, type: 'link', name: 'Added', options: linked }
    await expectWalk(() => api.fields.createField(ofLink as never, options), other.id)
    for (const original of await api.fields.listFields({ tableId })) {
      const copied = { tableId, fieldId: original.id, viewId }
      await expectWalk(() => api.fields.duplicateField(copied, options), other.id)
    }
  })

  test('[UNDO-8] [UNDO-17] does not keep what too many fields were that read one that was added', async () => {
    const add = { tableId, type: 'number', name: 'Added' } as const
    const { id } = await api.fields.createField(add, options)
    const reading = { expression: `{${id}} + 1` }
    for (const name of ['A', 'B', 'C', 'D']) {
      await api.fields.createField({ tableId, type: 'formula', name, options: reading })
    }
    expect(await withLimits({ undoLength: 400 }, undo)).toEqual(done)
    expect((await world.fieldOf(table, 'A')).hasError).toBe(true)
    expect(await redo()).toEqual(failed(/more than 400 characters/))
  })

  test('[UNDO-17] takes back columns and rows that were pasted, and pastes them again', async () => {
    const ranges = [
      [1, 2],
      [1, 2],
    ] as never
    const paste = { tableId, viewId, ranges, content: '1\tp\tq\n2\tr\ts' }
    await expectWalk(() => api.selections.pasteCells(paste, options))
  })

  test('[UNDO-17] takes views that were added back, and adds them again', async () => {
    await expectWalk(() => api.views.createView({ tableId, type: 'grid', name: 'New' }, options))
    await expectWalk(() => api.views.duplicateView({ tableId, viewId }, options))
  })

  test('[UNDO-17] leaves fields and views that somebody changed since', async () => {
    const definition = { tableId, type: 'number' as const, name: 'Added' }
    const { id } = await api.fields.createField(definition, options)
    await set({ Added: 1 })
    expect(await undo()).toEqual(failed(/The field .* was changed since/))
    const { id: copyId } = await api.fields.duplicateField({ tableId, fieldId }, options)
    await set({ 'Count 2': 99 })
    expect(await undo()).toEqual(failed(/The field .* was changed since/))
    const { id: described } = await api.fields.createField({ tableId, type: 'date' }, options)
    await api.fields.updateField({ tableId, fieldId: described, description: 'When' })
    expect(await undo()).toEqual(failed(/The field .* was changed since/))
    const fieldIds = (await api.fields.listFields({ tableId })).map((field) => field.id)
    expect(fieldIds).toEqual(expect.arrayContaining([id, copyId, described]))
    const view = await api.views.createView({ tableId, type: 'grid' }, options)
    await bob.api.views.describeView({ tableId, viewId: view.id, description: 'Text' })
    expect(await undo()).toEqual(failed(/The view .* was changed since/))
    const locked = await api.views.createView({ tableId, type: 'grid' }, options)
    await api.views.lockView({ tableId, viewId: locked.id, isLocked: true })
    expect(await undo()).toEqual(failed(/The view .* was changed since/))
    expect(await api.views.listViews({ tableId })).toHaveLength(3)
  })

  test('[UNDO-18] takes back what was restored from the trash, and restores it again', async () => {
    const restore = (type: string) => async () => {
      const entry = (await entries()).find(({ resourceType }) => resourceType === type)
      await api.trash.restoreTrash({ trashId: entry?.id ?? '' }, options)
    }
    const { other, linkId } = await link()
    await api.records.deleteRecord({ tableId, recordId })
    await expectWalk(restore('record'), other.id)
    await api.fields.deleteFields({ tableId, fieldIds: [linkId, fieldId] })
    await expectWalk(restore('field'), other.id)
    await api.views.deleteView({ tableId, viewId })
    await expectWalk(restore('view'))
    await restore('view')()
    await api.views.renameView({ tableId, viewId, name: 'Other' })
    expect(await undo()).toEqual(failed(/was changed since/))
  })

  test('[UNDO-19] keeps nothing of what is purged, of whoever changed it', async () => {
    const other = await world.makeNames('Others', 'x')
    const filterSet = [{ fieldId, operator: 'is' as const, value: 4711 }]
    const filter = { conjunction: 'and' as const, filterSet }
    const at = { windowId: 'purged' }
    const setIn = (fields: object, id: string | undefined, by = api) =>
      by.records.updateRecord({ tableId, recordId: id ?? '', record: { fields } } as never, at)
    await setIn({ Name: 'secret one' }, recordId)
    await setIn({ Name: 'secret two' }, recordId, bob.api)
    await setIn({ Name: 'kept' }, table.recordIds[0])
    await setIn({ Count: 4712 }, table.recordIds[0])
    await api.views.setViewFilter({ tableId, viewId, filter }, at)
    const made = await api.views.createView({ tableId, type: 'grid', name: 'G' }, at)
    const ofView = { tableId, viewId: made.id }
    await api.views.describeView({ ...ofView, description: 'secret text' }, at)
    await api.records.deleteRecord({ tableId, recordId }, at)
    await api.fields.deleteField({ tableId, fieldId }, at)
    await api.views.deleteView(ofView, at)
    await api.records.deleteRecord({ tableId: other.id, recordId: other.recordIds[0] ?? '' }, at)
    await api.trash.resetTrash({ resourceId: tableId, resourceType: 'table' })
    await withLimits({ undoCommandsLookedThrough: 3 }, () => world.finishJobs())
    const kept = await world.engine.store.write((tx) =>
      tx.undo.listOf(tableId, undefined, { commands: 1_000, bytes: 1_000_000 }),
    )
    expect(kept).toHaveLength(10)
    expect(JSON.stringify(kept)).not.toMatch(/secret|471/)
    const results = []
    for (let count = 0; count < 10; count++) {
      results.push((await api.undo.undoChange({ tableId }, at)).status)
    }
    const all = Array.from({ length: 7 }, () => 'failed')
    expect(results).toEqual([...all, 'fulfilled', 'failed', 'empty'])
    const elsewhere = await api.undo.undoChange({ tableId: other.id }, at)
    expect(elsewhere).toEqual(done)
  })

  test('[UNDO-4] compares the version of the table alone where records go to the trash', async () => {
    await api.records.createRecords({ tableId, records: [{ fields: { Name: 'd' } }] }, options)
    const { version } = await api.tables.getTable({ baseId: world.baseId, tableId })
    expect(await undo({ ...options, ifMatch: [version] })).toEqual(done)
  })
})
