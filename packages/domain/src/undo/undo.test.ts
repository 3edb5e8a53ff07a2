import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import type { Person } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Action } from '../access/roles.ts'
import { defaultSettings } from '../settings.ts'

const windowId = 'window-1'
const options = { windowId }
const settings = { ...defaultSettings, recordHistoryDays: 1 }
const done = { status: 'fulfilled' }
const empty = { status: 'empty' }

describeOnEveryStorage('undo and redo', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage, { settings }))
  let api: TableWorld['api']
  let bob: Person
  let table: TestTable
  let tableId: string
  let recordId: string

  beforeAll(async () => {
    api = world.api
    bob = await world.newCollaborator('Bob', 'editor')
  })
  beforeEach(async () => {
    table = await world.makeNames('Names', 'a', 'b', 'c')
    tableId = table.id
    recordId = table.recordIds[0] ?? ''
  })

  const undo = (by = api, at: object = options) => by.undo.undoChange({ tableId }, at)
  const redo = (by = api, at: object = options) => by.undo.redoChange({ tableId }, at)
  const set = (fields: object, by = api, at: object = options, id = recordId) =>
    by.records.updateRecord({ tableId, recordId: id, record: { fields } } as never, at)
  const names = async () => (await world.cellsOf(table, 'Name')).join('')
  const failed = (message: RegExp) => ({
    ...{ status: 'failed', errorMessage: expect.stringMatching(message) },
  })
  const viewOf = async () => {
    const [view] = await api.views.listViews({ tableId })
    if (!view) throw new Error('the table has a view')
    const { lastModifiedTime: _, lastModifiedBy: __, ...rest } = view
    return rest
  }

  test('[UNDO-1] [UNDO-10] puts back what was changed, one call after another, and does it again', async () => {
    await set({ Name: 'x' })
    await set({ Name: 'y', Count: 9 })
    expect(await undo()).toEqual(done)
    expect(await world.recordOf(table, recordId)).toEqual({ Name: 'x', Count: 1 })
    expect(await undo()).toEqual(done)
    expect(await names()).toBe('abc')
    expect(await undo()).toEqual(empty)
    expect(await redo()).toEqual(done)
    expect(await redo()).toEqual(done)
    expect(await world.recordOf(table, recordId)).toEqual({ Name: 'y', Count: 9 })
    expect(await redo()).toEqual(empty)
  })

  test('[UNDO-15] undoes one command when the call is repeated with its key', async () => {
    const once = { ...options, idempotencyKey: `undo-${tableId}` }
    await set({ Name: 'x' })
    await set({ Name: 'y' })
    expect(await Promise.all([undo(api, once), undo(api, once)])).toEqual([done, done])
    expect(await undo(api, once)).toEqual(done)
    expect(await names()).toBe('xbc')
  })

  test('[UNDO-15] forgets one command that can not be undone when the call is repeated with its key', async () => {
    const once = { ...options, idempotencyKey: `failed-${tableId}` }
    await set({ Name: 'x' })
    await set({ Count: 9 })
    await set({ Count: 10 }, bob.api, {})
    const refused = failed(/changed/)
    expect(await undo(api, once)).toEqual(refused)
    expect(await undo(api, once)).toEqual(refused)
    expect(await undo()).toEqual(done)
    expect(await names()).toBe('abc')
  })

  test('[UNDO-1] has nothing to undo of calls that were made in no window', async () => {
    await set({ Name: 'x' }, api, {})
    expect(await undo()).toEqual(empty)
    await set({ Name: 'y' })
    expect(await undo(api, {})).toEqual(empty)
    expect(await redo(api, {})).toEqual(empty)
    expect(await names()).toBe('ybc')
  })

  test('[UNDO-2] is for the user, the window and the table alone', async () => {
    await set({ Name: 'x' })
    const other = await world.makeNames('Others', 'z')
    expect(await undo(api, { windowId: 'window-2' })).toEqual(empty)
    expect(await undo(bob.api)).toEqual(empty)
    expect(await api.undo.undoChange({ tableId: other.id }, options)).toEqual(empty)
    await set({ Name: 'y' }, bob.api, options, table.recordIds[1])
    expect(await undo()).toEqual(done)
    expect(await names()).toBe('ayc')
    expect(await redo(bob.api)).toEqual(empty)
    expect(await undo(bob.api)).toEqual(done)
    expect(await names()).toBe('abc')
    const stranger = await world.newPerson(`Stranger${tableId}`)
    await expect(undo(stranger.api)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('[UNDO-3] can do nothing again once something else was done', async () => {
    await set({ Name: 'x' })
    await set({ Count: 5 })
    await undo()
    await undo()
    await set({ Name: 'y' }, api, { windowId: 'window-2' })
    await set({ Name: 'a' }, api, { windowId: 'window-2' })
    expect(await redo()).toEqual(done)
    await set({ Count: 7 })
    expect(await redo()).toEqual(empty)
    expect(await undo()).toEqual(done)
    expect(await undo()).toEqual(done)
    expect(await world.recordOf(table, recordId)).toEqual({ Name: 'a', Count: 1 })
  })

  test('[UNDO-4] asks for the rights of now, and is noted like other changes', async () => {
    const eve = await world.newCollaborator(`Eve${tableId}`, 'editor')
    await set({ Name: 'x' }, eve.api)
    const weaken = (role: 'viewer' | 'editor') =>
      api.collaborators.changeBaseCollaborator({
        ...{ baseId: world.baseId, principalId: eve.userId, principalType: 'user' as const },
        role,
      })
    await weaken('viewer')
    expect(await undo(eve.api)).toEqual(failed(/may not take the action "record\|update"/))
    await weaken('editor')
    await set({ Name: 'y' }, eve.api)
    expect(await undo(eve.api)).toEqual(done)
    const { historyList } = await api.history.listTableHistory({ tableId })
    expect(historyList.map(({ after }) => after.data)).toEqual(['x', 'y', 'x'])
  })

  test('[UNDO-4] refuses a token that lacks a scope, and keeps what its user did', async () => {
    const tokenWith = (...scopes: readonly Action[]) => {
      const token = { kind: 'token', userId: world.ada.userId, tokenId: 'acc' } as const
      return world.engine.as({ ...token, scopes: new Set(scopes) })
    }
    const reader = tokenWith('table|read')
    const refusal = {
      ...{ code: 'restricted_resource', message: expect.stringContaining('"record|update"') },
    }
    await set({ Name: 'x' })
    await expect(undo(reader)).rejects.toMatchObject(refusal)
    expect(await names()).toBe('xbc')
    expect(await undo()).toEqual(done)
    await expect(redo(reader)).rejects.toMatchObject(refusal)
    expect(await redo(tokenWith('table|read', 'record|update'))).toEqual(done)
    expect(await names()).toBe('xbc')
  })

  test('[UNDO-4] compares the version of the table once, before anything is undone', async () => {
    const { id: fieldId } = await world.fieldOf(table, 'Count')
    await api.fields.updateField({ tableId, fieldId, name: 'Number' }, options)
    const { version } = await api.tables.getTable({ baseId: world.baseId, tableId })
    const at = (...ifMatch: number[]) => ({ ...options, ifMatch })
    const refusal = { code: 'precondition_failed' }
    await expect(undo(api, at(version - 1))).rejects.toMatchObject(refusal)
    expect(await undo(api, at(version))).toEqual(done)
    expect((await world.fieldOf(table, 'Count')).id).toBe(fieldId)
    await expect(redo(api, at(version))).rejects.toMatchObject(refusal)
    expect(await redo()).toEqual(done)
  })

  test('[UNDO-5] refuses to overwrite what somebody changed since', async () => {
    await set({ Name: 'w' })
    await set({ Name: 'x', Count: 9 })
    await set({ Name: 'y' }, bob.api)
    expect(await undo()).toEqual(failed(/The cell of "Name" .* was changed since/))
    expect(await world.recordOf(table, recordId)).toEqual({ Name: 'y', Count: 9 })
    await set({ Name: 'w' }, bob.api)
    expect(await undo()).toEqual(done)
    expect(await world.recordOf(table, recordId)).toEqual({ Name: 'a', Count: 9 })
    await set({ Name: 'z' }, bob.api)
    expect(await redo()).toEqual(failed(/was changed since/))
    expect(await redo()).toEqual(empty)
  })

  test('[UNDO-5] [UNDO-7] changes nothing where one record of several is gone, or the table refuses it', async () => {
    const records = table.recordIds.map((id) => ({ id, fields: { Name: 'x' } }))
    await api.records.updateRecords({ tableId, records }, options)
    await world.remove(table, table.recordIds[2])
    expect(await undo()).toEqual(failed(/There is no record/))
    expect(await names()).toBe('xx')
    await world.addField(table, { type: 'singleLineText', name: 'Code', unique: true })
    await set({ Code: 'one' })
    await set({ Code: 'two' })
    await set({ Code: 'one' }, bob.api, {}, table.recordIds[1])
    expect(await undo()).toEqual(failed(/unique/))
    expect(await world.recordOf(table, recordId)).toMatchObject({ Code: 'two' })
  })

  test('[UNDO-6] [UNDO-10] puts back cells of every kind, by whichever operation they were changed', async () => {
    const other = await world.makeNames('Others', 'z')
    await world.addField(table, {
      ...{ type: 'link', name: 'Link' },
      options: { relationship: 'manyOne', foreignTableId: other.id },
    })
    await world.addField(table, { type: 'user', name: 'Who' })
    await world.addField(table, {
      ...{ type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 't' }] } },
    })
    await world.addField(table, { type: 'date', name: 'Day' })
    const [foreign] = other.recordIds
    await set({ Link: { id: foreign }, Who: world.ada.userId, Tags: ['t'], Day: '2026-01-01' })
    const before = await world.recordOf(table, recordId)
    await set({ Link: null, Who: null, Tags: null, Day: null })
    await world.change(other, foreign, { Name: 'renamed' })
    expect(await undo()).toEqual(done)
    expect(await world.recordOf(table, recordId)).toEqual({
      ...before,
      Link: { id: foreign, title: 'renamed' },
    })
    const view = await viewOf()
    const place = { tableId, viewId: view.id }
    const ranges = [
      [0, 0],
      [1, 2],
    ] as never
    await api.selections.clearCells({ ...place, ranges }, options)
    expect(await names()).toBe('')
    expect(await undo()).toEqual(done)
    expect(await names()).toBe('abc')
    const pasted = 'p\t1\nq\t2\nr\t3\ns\t4'
    const corner = [
      [0, 0],
      [0, 0],
    ] as never
    await api.selections.pasteCells({ ...place, ranges: corner, content: pasted }, options)
    expect(await names()).toBe('pqrs')
    expect(await undo()).toEqual(done)
    expect(await names()).toBe('abc')
  })

  test('[UNDO-20] puts links back where they stood at the other end', async () => {
    const other = await world.makeNames('Others', 'z')
    await world.addField(table, {
      ...{ type: 'link', name: 'Link' },
      options: { relationship: 'manyMany', foreignTableId: other.id },
    })
    const [foreign] = other.recordIds
    for (const id of table.recordIds) await set({ Link: [{ id: foreign }] }, api, {}, id)
    const linked = async () => JSON.stringify(await world.recordOf(other, foreign))
    const before = await linked()
    const records = table.recordIds.slice(0, 2).map((id) => ({ id, fields: { Link: null } }))
    await api.records.updateRecords({ tableId, records }, options)
    const after = await linked()
    expect(await undo()).toEqual(done)
    expect(await linked()).toBe(before)
    expect(await redo()).toEqual(done)
    expect(await linked()).toBe(after)
    expect(await undo()).toEqual(done)
    expect(await linked()).toBe(before)
  })

  test('[UNDO-20] puts links where they stood that are made again, before those of records that came later', async () => {
    const other = await world.makeNames('Others', 'z')
    await world.addField(table, {
      ...{ type: 'link', name: 'Link' },
      options: { relationship: 'manyMany', foreignTableId: other.id },
    })
    const Link = other.recordIds.map((id) => ({ id }))
    const fields = await api.fields.listFields({ tableId: other.id })
    const linked = () => world.textsOf(other, fields.at(-1)?.name ?? '')
    await set({ Link }, api, options, table.recordIds[1])
    await api.records.createRecords(
      { tableId, records: [{ fields: { Name: 'later', Link } }] },
      options,
    )
    expect(await linked()).toEqual(['b, later'])
    for (const _ of [1, 2]) expect(await undo()).toEqual(done)
    expect(await linked()).toEqual([null])
    for (const _ of [1, 2]) expect(await redo()).toEqual(done)
    expect(await linked()).toEqual(['b, later'])
  })

  test('[UNDO-8] keeps commands for a day, and so many', async () => {
    await set({ Name: 'x' })
    world.clock.advance(86_400_000)
    expect(await undo()).toEqual(empty)
    await set({ Name: 'y' })
    await withLimits({ undoCommandsPerUser: 1 }, () => set({ Name: 'z' }))
    expect(await undo()).toEqual(done)
    expect(await undo()).toEqual(empty)
    expect(await names()).toBe('ybc')
  })

  test('[UNDO-8] says of what is too much that it was not kept', async () => {
    await set({ Name: 'x' })
    await withLimits({ undoLength: 100 }, () => set({ Name: 'y'.repeat(60) }))
    expect(await undo()).toEqual(failed(/more than 100 characters/))
    expect(await undo()).toEqual(failed(/was changed since/))
  })

  test('[UNDO-29] takes back records that were added, of which it has no room to keep what they hold', async () => {
    const other = await world.makeNames('Others', 'x', 'y')
    await world.addField(table, {
      ...{ type: 'link', name: 'Link' },
      options: { relationship: 'manyMany', foreignTableId: other.id },
    })
    await world.addField(table, { type: 'attachment', name: 'Files' })
    const token = `token${tableId}`
    const { baseId, engine } = world
    const { spaceId } = await api.bases.getBase({ baseId })
    const createdTime = new Date(world.clock.now()).toISOString()
    await engine.store.write((tx) =>
      tx.attachments.insert({
        ...{ token, spaceId, path: 'table/x', size: 1, mimetype: 'image/png' },
        ...{ width: 1, height: 1, createdBy: world.ada.userId, createdTime },
        attachedTime: createdTime,
      }),
    )
    const Link = other.recordIds.toReversed().map((id) => ({ id }))
    const Files = [{ name: 'a.png', token }]
    const rows = Array.from('defghi', (Name, Count) => ({ fields: { Name, Count, Link, Files } }))
    // Their cells take more, and their ids less.
    const add = () =>
      withLimits({ undoLength: 400 }, () =>
        api.records.createRecords({ tableId, records: rows } as never, options),
      )
    const { records } = await add()
    const rowsNow = () => api.records.listRecords({ tableId })
    const cells = async () => (await rowsNow()).records.map(({ fields }) => fields)
    const all = await cells()
    for (const _ of [1, 2]) {
      expect(await undo()).toEqual(done)
      expect(await names()).toBe('abc')
      expect(await redo()).toEqual(done)
      expect(await cells()).toEqual(all)
    }
    await set({ Name: 'x' }, bob.api, {}, records[3]?.id)
    expect(await undo()).toEqual(failed(/One of 6 records was changed since/))
    expect(await names()).toBe('abcdefxhi')
  })

  test('[UNDO-9] refuses what is no id of a window', async () => {
    for (const wrong of ['', 'a b', 'é', 'x'.repeat(65), '\n', 7]) {
      const at = { windowId: wrong as string }
      await expect(set({ Name: 'x' }, api, at)).rejects.toMatchObject(invalidAt('X-Window-Id'))
      await expect(undo(api, at)).rejects.toMatchObject(invalidAt('X-Window-Id'))
    }
    await set({ Name: 'x' }, api, { windowId: `';--${'~'.repeat(60)}` })
    expect(await undo(api, { windowId: `';--${'~'.repeat(60)}` })).toEqual(done)
  })

  test('[UNDO-11] takes back records that were added, unless somebody wrote into them', async () => {
    const add = () =>
      api.records.createRecords({ tableId, records: [{ fields: { Name: 'd' } }] }, options)
    const { records } = await add()
    expect(await undo()).toEqual(done)
    expect(await names()).toBe('abc')
    const status = await api.records.getRecordStatus({ tableId, recordId: records[0]?.id ?? '' })
    expect(status).toEqual({ isVisible: false, isDeleted: true })
    expect(await redo()).toEqual(done)
    expect(await names()).toBe('abcd')
    expect(await undo()).toEqual(done)
    const second = (await add()).records[0]?.id
    await set({ Count: 4 }, bob.api, {}, second)
    expect(await undo()).toEqual(failed(/The cell of "Count"/))
    expect(await names()).toBe('abcd')
  })

  test('[UNDO-12] puts back settings of views', async () => {
    const before = await viewOf()
    const at = { tableId, viewId: before.id }
    const filterSet = [{ fieldId: table.primaryId, operator: 'is' as const, value: 'a' }]
    const columnMeta = [{ fieldId: table.primaryId, columnMeta: { width: 300 } }]
    const sort = { sortObjs: [{ fieldId: table.primaryId, order: 'desc' as const }] }
    const changes = [
      () => api.views.renameView({ ...at, name: 'Renamed' }, options),
      () => api.views.describeView({ ...at, description: 'Text' }, options),
      () => api.views.setViewFilter({ ...at, filter: { conjunction: 'and', filterSet } }, options),
      () => api.views.setViewSort({ ...at, sort }, options),
      () => api.views.setViewGroup({ ...at, group: sort.sortObjs }, options),
      () => api.views.setViewOptions({ ...at, options: { rowHeight: 'tall' } }, options),
      () => api.views.setColumnMeta({ ...at, columnMeta }, options),
      () => api.views.lockView({ ...at, isLocked: true }, options),
    ]
    const states = [before]
    for (const change of changes) {
      await change()
      states.push(await viewOf())
    }
    for (const state of states.slice(0, -1).toReversed()) {
      expect(await undo()).toEqual(done)
      expect(await viewOf()).toEqual(state)
    }
    for (const state of states.slice(1)) {
      expect(await redo()).toEqual(done)
      expect(await viewOf()).toEqual(state)
    }
    await undo()
    await bob.api.views.renameView({ ...at, name: 'Of Bob' })
    for (let step = 0; step < changes.length - 2; step++) expect(await undo()).toEqual(done)
    expect(await undo()).toEqual(failed(/The name of the view "Of Bob"/))
  })

  test('[UNDO-12] puts back the places of views, and leaves a locked view as it is', async () => {
    for (const name of ['One', 'Two']) await api.views.createView({ tableId, type: 'grid', name })
    const order = async () => (await api.views.listViews({ tableId })).map(({ name }) => name)
    const before = await order()
    const [first, second] = await api.views.listViews({ tableId })
    const [viewId = '', anchorId = ''] = [first?.id, second?.id]
    await api.views.moveView({ tableId, viewId, anchorId, position: 'after' }, options)
    expect(await order()).not.toEqual(before)
    expect(await undo()).toEqual(done)
    expect(await order()).toEqual(before)
    await redo()
    await api.views.lockView({ tableId, viewId, isLocked: true })
    expect(await undo()).toEqual(failed(/is locked/))
  })

  test('[UNDO-13] puts back names of fields', async () => {
    const { id: fieldId, dbFieldName } = await world.fieldOf(table, 'Count')
    const changed = { name: 'Number', description: 'How many', dbFieldName: 'how_many' }
    await api.fields.updateField({ tableId, fieldId, ...changed }, options)
    expect(await undo()).toEqual(done)
    const field = await world.fieldOf(table, 'Count')
    expect(field.dbFieldName).toBe(dbFieldName)
    expect(field.description ?? null).toBeNull()
    expect(await redo()).toEqual(done)
    expect(await world.fieldOf(table, 'Number')).toMatchObject(changed)
    await api.fields.updateField({ tableId, fieldId, name: 'Again' })
    expect(await undo()).toEqual(failed(/The name of the field "Again"/))
  })

  test('[UNDO-14] says of what has no inverse that it has none', async () => {
    const [one, two] = table.recordIds
    const { id: foreignTableId } = await world.makeNames('Others', 'z')
    const link = { relationship: 'manyMany', foreignTableId }
    const { id: fieldId } = await world.addField(table, {
      ...{ type: 'link', name: 'Others', options: link },
    })
    const { records } = await api.records.listRecords({ tableId: foreignTableId })
    await set({ Others: records.map(({ id }) => ({ id })) }, api, {}, one)
    await set({ Name: 'x' }, api, options, two)
    await set({ Name: 'y' }, api, options, two)
    await withLimits({ linksKept: 0 }, () =>
      api.fields.convertField({ tableId, fieldId, type: 'number' }, options),
    )
    expect(await undo()).toEqual(failed(/had more than 0 links/))
    expect(await undo()).toEqual(done)
    expect((await world.recordOf(table, two)).Name).toBe('x')
  })
})
