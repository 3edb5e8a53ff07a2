import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { shownUser } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Action } from '../access/roles.ts'
import { toTimestamp } from '../clock.ts'
import { defaultSettings } from '../settings.ts'
import { scheduleForgetting } from './forget-fields.ts'
import { trimHistory } from './history-jobs.ts'

const settings = { ...defaultSettings, recordHistoryDays: 30 }

describeOnEveryStorage('the history of records', (storage) => {
  let world: TableWorld
  let api: TableWorld['api']
  let table: TestTable
  let tableId: string
  let recordId: string

  beforeAll(async () => {
    world = await openTableWorld(storage, { settings })
    api = world.api
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    table = await world.makeNames('Names', 'a', 'b')
    tableId = table.id
    recordId = table.recordIds[0] ?? ''
  })

  const ofTable = (part: object = {}, of = tableId) =>
    api.history.listTableHistory({ tableId: of, ...part })
  const ofRecord = (id = recordId, part: object = {}) =>
    api.history.listRecordHistory({ tableId, recordId: id, ...part })
  const told = async (of = tableId) =>
    (await ofTable({}, of)).historyList.map(({ before, after }) => [
      after.meta.name,
      before.data,
      after.data,
    ])
  const walk = async (part: object = {}) => {
    const entries = []
    let cursor: string | undefined
    do {
      const page = await ofTable({ ...part, ...(cursor && { cursor }) })
      entries.push(...page.historyList)
      cursor = page.nextCursor
    } while (cursor)
    return entries
  }

  test('[HISTORY-1] has an entry for each cell that somebody changed', async () => {
    const editor = await world.newCollaborator(`Editor${tableId}`, 'editor')
    const time = new Date(world.clock.now()).toISOString()
    const sent = { tableId, recordId, record: { fields: { Name: 'c', Count: null } } }
    await editor.api.records.updateRecord(sent)
    const { historyList, userMap, nextCursor } = await ofRecord()
    const text = { name: 'Name', type: 'singleLineText', cellValueType: 'string' }
    const number = { name: 'Count', type: 'number', cellValueType: 'number' }
    const { id: countId } = await world.fieldOf(table, 'Count')
    const by = { tableId, recordId, createdTime: time, createdBy: editor.userId }
    const id = expect.stringMatching(/^rhi[0-9a-zA-Z]{24}$/)
    expect(historyList).toEqual([
      {
        ...{ id, fieldId: table.primaryId, ...by },
        ...{ before: { meta: text, data: 'a' }, after: { meta: text, data: 'c' } },
      },
      {
        ...{ id, fieldId: countId, ...by },
        ...{ before: { meta: number, data: 1 }, after: { meta: number, data: null } },
      },
    ])
    expect(new Set(historyList.map((entry) => entry.id)).size).toBe(2)
    expect(userMap).toEqual({
      [editor.userId]: {
        ...{ id: editor.userId, name: expect.any(String), email: editor.email },
        avatar: expect.stringMatching(/^data:image/),
      },
    })
    expect(nextCursor).toBeUndefined()
  })

  test('[HISTORY-1] has them whichever operation changed the cells', async () => {
    const [one = '', two = ''] = table.recordIds
    const [view] = await api.views.listViews({ tableId })
    const place = { tableId, viewId: view?.id ?? '' }
    const records = [one, two].map((id) => ({ id, fields: { Count: 5 } }))
    await api.records.updateRecords({ tableId, records })
    world.clock.advance(1)
    const at = (row: number) =>
      [
        [0, row],
        [0, row],
      ] as never
    await api.selections.pasteCells({ ...place, ranges: at(0), content: 'p' })
    world.clock.advance(1)
    await api.selections.clearCells({ ...place, ranges: at(1) })
    expect(await told()).toEqual([
      ['Name', 'b', null],
      ['Name', 'a', 'p'],
      ['Count', 2, 5],
      ['Count', 1, 5],
    ])
  })

  test('[HISTORY-1] notes nothing of a write that is refused, or changes nothing', async () => {
    const records = [
      { id: recordId, fields: { Name: 'x' } },
      { id: 'recNone', fields: {} },
    ]
    await expect(api.records.updateRecords({ tableId, records })).rejects.toThrow()
    await world.change(table, recordId, { Name: 'a' })
    expect(await told()).toEqual([])
  })

  test('[HISTORY-2] has no entries of what follows from cells, nor of what is created or deleted', async () => {
    const { id: foreignTableId } = await world.makeNames('Others', 'z')
    const link = await world.addField(table, {
      ...{ type: 'link', name: 'Link' },
      options: { relationship: 'manyMany', foreignTableId },
    })
    await world.addField(table, {
      ...{ type: 'formula', name: 'Twice' },
      options: { expression: `{${(await world.fieldOf(table, 'Count')).id}} * 2` },
    })
    const [other] = (await api.records.listRecords({ tableId: foreignTableId })).records
    const linked = { id: other?.id, title: 'z' }
    await world.change(table, recordId, { Count: 3, [link.name]: [{ id: other?.id }] })
    await world.convert(table, 'Count', { type: 'singleLineText' })
    const [added] = await world.add(table, { Name: 'new' })
    await world.remove(table, added)
    expect(await told()).toEqual([
      ['Count', 1, 3],
      ['Link', null, [linked]],
    ])
    expect(await told(foreignTableId)).toEqual([])
  })

  test('[HISTORY-3] is walked through page by page, each entry once, whatever is changed meanwhile', async () => {
    const names = Array.from({ length: 45 }, (_, index) => `n${index}`)
    for (const [index, Name] of names.entries()) {
      if (index % 3 === 0) world.clock.advance(1)
      await world.change(table, table.recordIds[index % 2], { Name, Count: 100 + index })
    }
    const first = await ofTable()
    expect(first.historyList).toHaveLength(20)
    world.clock.advance(1)
    await world.change(table, recordId, { Name: 'later', Count: -1 })
    const seen = [...first.historyList]
    let cursor = first.nextCursor
    while (cursor) {
      const page = await ofTable({ cursor })
      seen.push(...page.historyList)
      cursor = page.nextCursor
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(90)
    const ofNames = seen.flatMap(({ after }) => (after.meta.name === 'Name' ? [after.data] : []))
    expect(new Set(ofNames)).toEqual(new Set(names))
    const times = seen.map(({ createdTime }) => createdTime)
    expect(times).toEqual(times.toSorted().toReversed())
    const whole = await walk()
    expect(whole.slice(2)).toEqual(seen)
  })

  test('[HISTORY-3] ends a page within what one call changed, and goes on there', async () => {
    await world.change(table, recordId, { Name: 'c', Count: 7 })
    await withLimits({ historyPerPage: 1 }, async () => {
      const first = await ofTable()
      expect(first.historyList.map(({ after }) => after.data)).toEqual(['c'])
      const second = await ofTable({ cursor: first.nextCursor })
      expect(second.historyList.map(({ after }) => after.data)).toEqual([7])
      expect(second.nextCursor).toBeUndefined()
      const another = table.recordIds[1] ?? ''
      for (const wrong of [
        () => ofTable({ cursor: 'x' }),
        () => ofTable({ cursor: `9${first.nextCursor}` }),
        () => ofTable({ cursor: first.nextCursor, startDate: '2020-01-01' }),
        () => ofRecord(another, { cursor: first.nextCursor }),
      ]) {
        await expect(wrong()).rejects.toMatchObject(invalidAt('cursor'))
      }
    })
  })

  test('[HISTORY-70] goes on where it was when a field that was told is purged meanwhile', async () => {
    await world.addField(table, { type: 'longText', name: 'Note' })
    await world.change(table, recordId, { Name: 'c', Count: 7, Note: 'more' })
    const before = await walk()
    expect(before.map(({ after }) => after.data)).toEqual(['c', 7, 'more'])
    await withLimits({ historyPerPage: 2 }, async () => {
      const { nextCursor } = await ofTable()
      const { id: countId } = await world.fieldOf(table, 'Count')
      await api.fields.deleteField({ tableId, fieldId: countId })
      await api.trash.resetTrash({ resourceId: tableId, resourceType: 'table' })
      await world.finishJobs()
      const { historyList } = await ofTable({ cursor: nextCursor })
      expect(historyList).toEqual(before.slice(2))
    })
    expect(await walk()).toEqual([before[0], before[2]])
  })

  test('[HISTORY-4] is of one record, or of all, deleted ones too', async () => {
    const [one, two = ''] = table.recordIds
    await world.change(table, one, { Count: 10 })
    world.clock.advance(1)
    await world.change(table, two, { Count: 20 })
    expect((await ofRecord(two)).historyList.map(({ after }) => after.data)).toEqual([20])
    await world.remove(table, two)
    expect((await ofTable()).historyList.map(({ after }) => after.data)).toEqual([20, 10])
    await expect(ofRecord(two)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('[HISTORY-4] leaves out what was changed before or after the dates', async () => {
    const moments: string[] = []
    for (const Count of [10, 20, 30]) {
      world.clock.advance(1_000)
      moments.push(new Date(world.clock.now()).toISOString())
      await world.change(table, recordId, { Count })
    }
    const found = async (part: object) => [
      (await ofTable(part)).historyList.map(({ after }) => after.data),
      (await ofRecord(recordId, part)).historyList.map(({ after }) => after.data),
    ]
    const [, second = '', third] = moments
    const twice = (...data: number[]) => [data, data]
    expect(await found({ startDate: second })).toEqual(twice(30, 20))
    expect(await found({ endDate: second })).toEqual(twice(20, 10))
    expect(await found({ startDate: second, endDate: second })).toEqual(twice(20))
    expect(await found({ endDate: '2000-01-01' })).toEqual(twice())
    await expect(found({ startDate: third, endDate: second })).rejects.toMatchObject(
      invalidAt('endDate'),
    )
    await expect(found({ startDate: 'yesterday' })).rejects.toMatchObject(invalidAt('startDate'))
  })

  test('[HISTORY-5] shows cells and fields as they were, and people by their names of today', async () => {
    await world.addField(table, {
      ...{ type: 'singleSelect', name: 'Mood' },
      options: { choices: [{ name: 'glad' }, { name: 'sad' }] },
    })
    await world.addField(table, {
      ...{ type: 'user', name: 'Who' },
      options: { isMultiple: true },
    })
    const { userId } = world.ada
    await world.change(table, recordId, { Mood: 'glad', Who: [userId] })
    const mood = await world.fieldOf(table, 'Mood')
    await api.fields.updateField({ tableId, fieldId: mood.id, name: 'Temper' })
    await world.convert(table, 'Temper', { type: 'longText', name: 'Temper' })
    await api.accounts.changeName({ name: 'Ada L.' })
    expect(await told()).toEqual([
      ['Mood', null, 'glad'],
      ['Who', null, [shownUser(world.ada, 'Ada L.')]],
    ])
    await api.fields.deleteField({ tableId, fieldId: mood.id })
    const [entry] = (await ofRecord()).historyList
    expect(entry?.after.meta.type).toBe('singleSelect')
    await api.accounts.changeName({ name: 'Ada' })
  })

  test('[HISTORY-6] is for those who may read it', async () => {
    await world.change(table, recordId, { Count: 10 })
    const viewer = await world.newCollaborator(`Viewer${tableId}`, 'viewer')
    const stranger = await world.newPerson(`Stranger${tableId}`)
    const refusals = [
      [viewer.api, 'restricted_resource'],
      [stranger.api, 'not_found'],
    ] as const
    for (const [other, code] of refusals) {
      const calls = [
        () => other.history.listTableHistory({ tableId }),
        () => other.history.listRecordHistory({ tableId, recordId }),
      ]
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code })
    }
    const byToken = (...scopes: readonly Action[]) =>
      world.engine.as({
        ...{ kind: 'token', userId: world.ada.userId, tokenId: 'acc1' },
        scopes: new Set(scopes),
      } as const).history
    await expect(
      byToken('table_record_history|read').listTableHistory({ tableId }),
    ).rejects.toMatchObject({ code: 'restricted_resource' })
    await expect(byToken('record|read').listTableHistory({ tableId })).rejects.toMatchObject({
      code: 'restricted_resource',
    })
    const history = byToken('table_record_history|read', 'record|read')
    const { userMap } = await history.listTableHistory({ tableId })
    expect(userMap[world.ada.userId]).not.toHaveProperty('email')
  })

  test('[HISTORY-7] shows long cells in part', async () => {
    const { id: foreignTableId } = await world.makeNames('Others', ...'abcdefghij')
    await world.addField(table, {
      ...{ type: 'link', name: 'Link' },
      options: { relationship: 'manyMany', foreignTableId, isOneWay: true },
    })
    const { records } = await api.records.listRecords({ tableId: foreignTableId })
    const links = records.map(({ id }) => ({ id }))
    await withLimits({ historyLength: 600 }, () =>
      world.change(table, recordId, { Name: 'é'.repeat(1_000), Count: 9, Link: links }),
    )
    const [name, count, link] = (await ofRecord()).historyList
    expect(name?.before).not.toHaveProperty('isCut')
    expect(name?.after).toMatchObject({ isCut: true, data: expect.stringMatching(/^é{10,20}$/) })
    expect(count?.after).toMatchObject({ data: 9 })
    expect(count?.after).not.toHaveProperty('isCut')
    expect(link?.after.isCut).toBe(true)
    expect(link?.after.data).toEqual([{ id: links[0]?.id, title: 'a' }, expect.anything()])
  })

  test('[HISTORY-8] is removed in the background when it is older than it is kept', async () => {
    await world.change(table, recordId, { Count: 10 })
    world.clock.advance(20 * 86_400_000)
    for (const Count of [20, 30, 40]) await world.change(table, recordId, { Count })
    const trim = () =>
      withLimits({ historyRemovedAtOnce: 2 }, async () => {
        while (await world.runJob());
      })
    await trim()
    expect(await told()).toHaveLength(4)
    world.clock.advance(11 * 86_400_000)
    await trim()
    expect(await told()).toHaveLength(3)
    world.clock.advance(20 * 86_400_000)
    await trim()
    expect(await told()).toHaveLength(0)
  })

  test('[HISTORY-9] goes with its table', async () => {
    await world.change(table, recordId, { Count: 10 })
    await api.tables.deleteTablePermanently({ baseId: world.baseId, tableId })
    await world.finishJobs()
    const left = await world.engine.store.write(({ history }) =>
      history.nextToTrim('9999-01-01T00:00:00.000Z'),
    )
    expect(left?.id).not.toBe(tableId)
  })

  test('[HISTORY-71] is looked through no more when its table is gone', async () => {
    const { baseId, clock } = world
    await world.change(table, recordId, { Name: 'c' })
    const later = toTimestamp(clock.now() + 90_000)
    await world.engine.store.write((tx) => scheduleForgetting(tx, { id: tableId, baseId }, later))
    await api.tables.deleteTablePermanently({ baseId, tableId })
    await world.finishJobs()
    clock.advance(90_000)
    await world.finishJobs()
    const isLeft = await world.engine.store.write((tx) => tx.jobs.hasKind('forget-fields'))
    expect(isLeft).toBe(false)
  })

  test('[HISTORY-85] is not trimmed once its table is gone, though it was found just before', async () => {
    const { baseId, clock, engine } = world
    await world.change(table, recordId, { Name: 'c' })
    await api.tables.deleteTablePermanently({ baseId, tableId })
    await world.finishJobs()
    const putOff = await engine.store.write(async (tx) => {
      const putOff: string[] = []
      const history = {
        nextToTrim: async () => ({ id: tableId, baseId }),
        removeSome: (...of: Parameters<typeof tx.history.removeSome>) =>
          tx.history.removeSome(...of),
        trimAgainAt: async ({ id }: { id: string }) => void putOff.push(id),
      }
      const { tables } = tx
      const run = { tx: { history, tables } as never, nowMs: clock.now(), settings }
      await trimHistory.run(run as never)
      return putOff
    })
    expect(putOff).toEqual([tableId])
  })

  test('[HISTORY-10] keeps nothing of what is purged, and all of what only lies in the trash', async () => {
    const [one = '', two = ''] = table.recordIds
    const { id: countId } = await world.fieldOf(table, 'Count')
    for (let round = 0; round < 4; round++) {
      world.clock.advance(1)
      await world.change(table, one, { Name: `n${round}`, Count: 10 + round })
      await world.change(table, two, { Name: `m${round}`, Count: 20 + round })
    }
    await world.change(table, one, { Count: 99 })
    await world.remove(table, two)
    await api.fields.deleteField({ tableId, fieldId: countId })
    await world.finishJobs()
    expect(await walk()).toHaveLength(17)
    const { trashItems } = await api.trash.listTrashItems({
      ...{ resourceId: tableId, resourceType: 'table' },
    })
    const purge = async (type: string) => {
      const trashId = trashItems.find(({ resourceType }) => resourceType === type)?.id ?? ''
      await api.trash.purgeTrashEntry({ trashId })
      await withLimits({ historyRemovedAtOnce: 3, historyLookedThrough: 2 }, () =>
        world.finishJobs(),
      )
      return (await walk()).map(({ after }) => after.data)
    }
    expect(await purge('record')).toEqual([99, 'n3', 13, 'n2', 12, 'n1', 11, 'n0', 10])
    expect(await purge('field')).toEqual(['n3', 'n2', 'n1', 'n0'])
  })
})

describeOnEveryStorage('the history of records where none is kept', (storage) => {
  test('[HISTORY-8] is empty', async () => {
    const world = await openBaseWorld(storage)
    const { api, baseId } = world
    const { id: tableId, records } = await api.tables.createTable({ baseId, name: 'T' })
    const [record] = records
    const recordId = record?.id ?? ''
    await api.records.updateRecord({ tableId, recordId, record: { fields: { Name: 'x' } } })
    expect(await api.history.listTableHistory({ tableId })).toEqual({
      ...{ historyList: [], userMap: {} },
    })
    await world.close()
  })
})
