import { PlainPasswordHasher } from '@gateleg/testing/doubles/plain-password-hasher'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Filter, FilterItem } from '../fields/filter.ts'
import { limits } from '../limits.ts'

const hourMs = 3_600_000
const filter = (...filterSet: readonly FilterItem[]): Filter => ({ conjunction: 'and', filterSet })

describeOnEveryStorage('visiting a share', (storage) => {
  const world = worldOfBlock(() =>
    openTableWorld(storage, { passwords: new PlainPasswordHasher() }),
  )
  let api: TableWorld['api']
  let table: TestTable
  let viewId: string
  let shareId: string
  let ids: Record<string, string>

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    table = await world.makeTable(
      'Books',
      [
        { type: 'singleLineText', name: 'Title' },
        { type: 'number', name: 'Pages', options: { defaultValue: 7 } },
        { type: 'singleLineText', name: 'Secret' },
        { type: 'user', name: 'Reader' },
      ],
      [
        { Title: 'Emma', Pages: 474, Secret: 'c', Reader: { id: world.ada.userId } },
        { Title: 'Sanditon', Pages: 120, Secret: 'b' },
        { Title: 'Lady Susan', Pages: 90, Secret: 'a' },
        { Title: 'Persuasion', Pages: 249, Secret: 'd' },
      ],
    )
    const fields = await api.fields.listFields({ tableId: table.id })
    ids = Object.fromEntries(fields.map(({ name, id }) => [name, id]))
    const view = await api.views.createView({
      tableId: table.id,
      type: 'grid',
      filter: filter({ fieldId: ids.Pages ?? '', operator: 'isGreater', value: 100 }),
      sort: { sortObjs: [{ fieldId: ids.Secret ?? '', order: 'asc' }] },
      columnMeta: { [ids.Secret ?? '']: { hidden: true } },
      options: { frozenFieldId: ids.Secret },
    })
    viewId = view.id
    shareId = (await api.views.enableShare({ tableId: table.id, viewId })).shareId
  })

  const shares = () => world.engine.public.shares
  const of = <More extends object>(more: More = {} as More) => ({
    tableId: table.id,
    viewId,
    ...more,
  })
  const list = (query: object = {}) => shares().listSharedRecords({ shareId, ...query })
  const titlesOf = ({ records }: Awaited<ReturnType<typeof list>>) =>
    records.map(({ name }) => name)

  test('[SHARE-10] shows the records of the view in its order, whatever is asked', async () => {
    expect((await list()).records).toEqual([
      { id: table.recordIds[1], name: 'Sanditon', fields: { Title: 'Sanditon', Pages: 120 } },
      {
        id: table.recordIds[0],
        name: 'Emma',
        fields: { Title: 'Emma', Pages: 474, Reader: expect.anything() },
      },
      { id: table.recordIds[3], name: 'Persuasion', fields: { Title: 'Persuasion', Pages: 249 } },
    ])
    const isShort = { fieldId: 'Pages', operator: 'isLess', value: 300 } as const
    const asked = { filter: filter(isShort), orderBy: [{ fieldId: 'Pages', order: 'desc' }] }
    expect(titlesOf(await list(asked))).toEqual(['Persuasion', 'Sanditon'])
    expect(await shares().countSharedRecords({ shareId })).toEqual({ rowCount: 3 })
    expect(await shares().countSharedRecords({ shareId, filter: filter(isShort) })).toEqual({
      rowCount: 2,
    })
    const { aggregations } = await shares().aggregateSharedRecords({
      ...{ shareId, field: { sum: ['Pages'] } },
    })
    expect(aggregations).toEqual([
      { fieldId: ids.Pages, total: { value: 474 + 120 + 249, aggFunc: 'sum' } },
    ])
  })

  test('[SHARE-23] works out so many statistics and no more', async () => {
    expect(limits.statisticsOfShare).toBe(20)
    const aggregate = (field: object) => shares().aggregateSharedRecords({ shareId, field })
    await withLimits({ statisticsOfShare: 2 }, async () => {
      const two = { sum: ['Pages', 'Pages'], filled: ['Pages'] }
      expect((await aggregate(two)).aggregations).toHaveLength(2)
      const more = aggregate({ ...two, empty: ['Pages'] })
      await expect(more).rejects.toMatchObject(invalidAt('field'))
    })
  })

  test('[SHARE-10] another view of the query, and leaving the own one aside, change nothing', async () => {
    const [other] = await api.views.listViews({ tableId: table.id })
    expect(await list({ viewId: other?.id })).toEqual(await list())
    await expect(list({ ignoreViewQuery: true })).rejects.toMatchObject(
      invalidAt('ignoreViewQuery'),
    )
    await expect(
      shares().countSharedRecords({ shareId, ignoreViewQuery: true as never }),
    ).rejects.toMatchObject(invalidAt('ignoreViewQuery'))
    await expect(list({ search: ['Emma', 'Secret', true] })).rejects.toMatchObject({
      code: 'validation_error',
    })
  })

  test('[SHARE-26] shows no record once the filter of its view no longer fits', async () => {
    await world.convert(table, 'Pages', { type: 'checkbox' })
    expect((await list()).records).toEqual([])
    await api.fields.deleteField({ tableId: table.id, fieldId: ids.Pages ?? '' })
    expect((await list()).records).toEqual([])
    expect(await shares().countSharedRecords({ shareId })).toEqual({ rowCount: 0 })
    expect((await shares().getSharedView({ shareId })).records).toEqual([])
    const seen = await api.records.listRecords({ tableId: table.id, viewId })
    expect(seen.records).toHaveLength(4)
  })

  test('[SHARE-24] shows files without that by which they could be attached or read', async () => {
    const { ada, engine } = world
    const stored = { path: 'table/hash', size: 12, mimetype: 'image/png', width: 4, height: 3 }
    const { spaceId } = ada
    const createdTime = new Date(world.clock.now()).toISOString()
    const token = `secret${table.id}`
    const by = { spaceId, createdBy: ada.userId, createdTime, attachedTime: null }
    await engine.store.write((tx) => tx.attachments.insert({ ...stored, ...by, token }))
    const file = await world.addField(table, { type: 'attachment', name: 'Files' })
    const [first] = table.recordIds
    await world.change(table, first, { Files: [{ name: 'a.png', token }] })
    const link = await world.addField(table, {
      ...{ type: 'link', name: 'Same' },
      options: { relationship: 'manyMany', foreignTableId: table.id, isOneWay: true },
    })
    await world.change(table, first, { Same: [{ id: first }] })
    const { id: lookup } = await world.addField(table, {
      ...{ type: 'attachment', name: 'Looked', isLookup: true },
      lookupOptions: { foreignTableId: table.id, linkFieldId: link.id, lookupFieldId: file.id },
    })
    const query = {
      fieldKeyType: 'id',
      filter: filter({ fieldId: file.id, operator: 'isNotEmpty' }),
    }
    const { records } = await list(query)
    const { path: _, ...seen } = stored
    const shown = [{ ...seen, id: expect.stringMatching(/^act/), name: 'a.png' }]
    expect(records[0]?.fields).toMatchObject({ [file.id]: shown, [lookup]: shown })
    const asText = (await list({ ...query, cellFormat: 'text' })).records
    expect(asText[0]?.fields).toMatchObject({ [file.id]: 'a.png', [lookup]: 'a.png' })
    const told = JSON.stringify([records, asText, await shares().getSharedView({ shareId })])
    expect(told).not.toContain(token)
    expect(told).not.toContain('table/hash')
  })

  test('[SHARE-27] cells of what is shown are copied where that is allowed', async () => {
    const copy = (more: object = {}) =>
      shares().copySharedCells({ shareId, type: 'rows', ranges: [[0, 1]], ...more })
    const refused = { code: 'restricted_resource' }
    await expect(copy()).rejects.toMatchObject(refused)
    await api.views.setShareMeta(of({ allowCopy: true }))
    const { content, header } = await copy({ projection: ['Pages', 'Title'] })
    expect(content).toBe('Sanditon\t120.00\nEmma\t474.00')
    expect(header.map(({ name }) => name)).toEqual(['Title', 'Pages'])
    expect(header).toEqual((await shares().getSharedView({ shareId })).fields.slice(0, 2))
    for (const key of ['Secret', ids.Secret ?? '', 'Nowhere']) {
      const path = invalidAt('projection', 0)
      await expect(copy({ projection: [key] })).rejects.toMatchObject(path)
    }
    await expect(copy({ ranges: [[0, 3]] })).rejects.toMatchObject(invalidAt('ranges'))
    await expect(copy({ type: 'columns', ranges: [[2, 3]] })).rejects.toMatchObject(
      invalidAt('ranges'),
    )
    await api.views.setShareMeta(of({ includeHiddenField: true }))
    expect((await copy()).header.map(({ name }) => name)).toContain('Secret')
    await api.views.setShareMeta(of({ includeRecords: false }))
    await expect(copy()).rejects.toMatchObject(refused)
  })

  test('[SHARE-9] a field that is not shown is as one that is not there', async () => {
    const asked: readonly ((key: string) => Promise<unknown>)[] = [
      (key) => list({ filter: filter({ fieldId: key, operator: 'is', value: 'a' }) }),
      (key) => list({ orderBy: [{ fieldId: key, order: 'asc' }] }),
      (key) => list({ projection: [key], fieldKeyType: 'id' }),
      (key) => list({ projection: [key, 'Title'] }),
      (key) => list({ filter: filter({ fieldId: key, operator: 'isEmpty' }), take: 1 }),
      (key) =>
        shares().countSharedRecords({
          ...{ shareId, filter: filter({ fieldId: key, operator: 'isNotEmpty' }) },
        }),
      (key) => shares().aggregateSharedRecords({ shareId, field: { filled: [key] } }),
    ]
    const told = async (call: Promise<unknown>, key: string) => {
      const outcome = await call.catch(({ code, message, data }) => ({ code, message, data }))
      return JSON.stringify(outcome).replaceAll(key, '')
    }
    for (const ask of asked) {
      const ofNone = await told(ask('Nowhere'), 'Nowhere')
      for (const key of ['Secret', ids.Secret ?? '']) expect(await told(ask(key), key)).toBe(ofNone)
    }
    const whole = JSON.stringify([await shares().getSharedView({ shareId }), await list()])
    expect(whole).not.toContain('Secret')
    expect(whole).not.toContain(ids.Secret)
  })

  test('[SHARE-9] [SHARE-16] opens it with the fields that are shown, and little of their options', async () => {
    const shared = await shares().getSharedView({ shareId })
    expect(shared.view).toEqual({
      ...{ id: viewId, name: 'New view', type: 'grid', options: {} },
      columnMeta: {
        [ids.Title ?? '']: { order: 0 },
        [ids.Pages ?? '']: { order: 1 },
        [ids.Reader ?? '']: { order: 2 },
      },
    })
    expect(shared.fields.map(({ name }) => name)).toEqual(['Title', 'Pages', 'Reader'])
    expect(shared.fields[1]).toEqual({
      ...{ id: ids.Pages, name: 'Pages', type: 'number', cellValueType: 'number' },
      options: { formatting: { type: 'decimal', precision: 2 } },
      ...{ dbFieldType: 'REAL', dbFieldName: 'Pages' },
    })
    expect(shared.records.map(({ fields }) => fields[ids.Title ?? ''])).toEqual([
      ...['Sanditon', 'Emma', 'Persuasion'],
    ])
    await api.views.setShareMeta(of({ includeHiddenField: true }))
    const all = await shares().getSharedView({ shareId })
    expect(all.fields.map(({ name }) => name)).toEqual(['Title', 'Pages', 'Secret', 'Reader'])
    expect(
      titlesOf(await list({ filter: filter({ fieldId: 'Secret', operator: 'is', value: 'b' }) })),
    ).toEqual(['Sanditon'])
  })

  test('[SHARE-16] opens it with so many records at most', async () => {
    await world.add(table, ...Array.from({ length: 60 }, () => ({ Title: 'x', Pages: 200 })))
    const { records } = await shares().getSharedView({ shareId })
    expect(records).toHaveLength(limits.recordsOfSharedView)
    const long = 'x'.repeat(200_000)
    await world.add(table, ...Array.from({ length: 8 }, () => ({ Title: long, Pages: 200 })))
    await api.views.setViewSort(
      of({ sort: { sortObjs: [{ fieldId: table.primaryId, order: 'desc' }] } }),
    )
    const few = await shares().getSharedView({ shareId })
    expect(few.records.length).toBeLessThan(6)
    expect(few.records.length).toBeGreaterThan(1)
  })

  test('[SHARE-9] leaves names away where the primary field is not shown', async () => {
    const form = await api.views.createView({ tableId: table.id, type: 'form' })
    const hide = { fieldId: table.primaryId, columnMeta: { visible: false } }
    viewId = form.id
    await api.views.setColumnMeta(of({ columnMeta: [hide] }))
    shareId = (await api.views.enableShare(of())).shareId
    await api.views.setShareMeta(of({ includeRecords: true }))
    const { records } = await list({ take: 1 })
    expect(records).toEqual([
      {
        id: table.recordIds[0],
        fields: { Pages: 474, Secret: 'c', Reader: expect.anything() },
      },
    ])
  })

  test('[SHARE-11] a cursor leads on after its record, which is all that it tells', async () => {
    const first = await list({ take: 1 })
    expect(first.nextCursor).toMatch(new RegExp(`^${table.recordIds[1]}\\.[0-9a-f]{32}$`))
    const cursor = first.nextCursor ?? ''
    expect(titlesOf(await list({ take: 5, cursor }))).toEqual(['Emma', 'Persuasion'])
    await world.change(table, table.recordIds[1], { Secret: 'cc' })
    expect(titlesOf(await list({ take: 5, cursor }))).toEqual(['Persuasion'])
    const other = (await api.views.refreshShareId(of())).shareId
    const refused = invalidAt('cursor')
    await expect(
      shares().listSharedRecords({ shareId: other, take: 1, cursor }),
    ).rejects.toMatchObject(refused)
    shareId = other
    const mine = (await list({ take: 1 })).nextCursor ?? ''
    await expect(
      list({ cursor: mine, orderBy: [{ fieldId: 'Pages', order: 'asc' }] }),
    ).rejects.toMatchObject(refused)
    const forged = mine.replace(/^rec\w+/, table.recordIds[2] ?? '')
    await expect(list({ cursor: forged })).rejects.toMatchObject(refused)
    const plain = await api.records.listRecords({ tableId: table.id, take: 1 })
    await expect(list({ cursor: plain.nextCursor })).rejects.toMatchObject(refused)
    const [recordId] = mine.split('.')
    await world.remove(table, recordId)
    await expect(list({ cursor: mine })).rejects.toMatchObject(refused)
  })

  test('[SHARE-11] a walk by cursors meets every record once', async () => {
    await world.add(
      table,
      ...Array.from({ length: 20 }, (_, index) => ({ Pages: 200, Secret: `${index % 3}` })),
    )
    const found: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list({ take: 4, ...(cursor && { cursor }) })
      found.push(...page.records.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(found).toEqual((await list()).records.map(({ id }) => id))
    expect(new Set(found).size).toBe(23)
  })

  test('[SHARE-12] shows people without their addresses', async () => {
    const { records } = await list()
    const [reader] = records.flatMap(({ fields }) => fields.Reader ?? [])
    expect(reader).toEqual({
      ...{ id: world.ada.userId, title: 'ada' },
      avatarUrl: expect.stringMatching(/^data:image/),
    })
    const asAda = await api.shares.listSharedRecords({ shareId })
    expect(JSON.stringify(asAda)).not.toContain('@example.com')
  })

  test('[SHARE-13] a share without records lists, counts and adds up none', async () => {
    await api.views.setShareMeta(of({ includeRecords: false }))
    expect((await shares().getSharedView({ shareId })).records).toEqual([])
    const refused = { code: 'restricted_resource' }
    await expect(list()).rejects.toMatchObject(refused)
    await expect(shares().countSharedRecords({ shareId })).rejects.toMatchObject(refused)
    await expect(shares().aggregateSharedRecords({ shareId })).rejects.toMatchObject(refused)
  })

  test('[SHARE-15] shows the same to whoever visits, and Me is nobody', async () => {
    const whole = JSON.stringify(await list())
    const stranger = await world.newPerson(`Stranger${crypto.randomUUID()}`)
    for (const { api } of [world.ada, stranger]) {
      expect(JSON.stringify(await api.shares.listSharedRecords({ shareId }))).toBe(whole)
    }
    const token = world.engine.as({
      ...{ kind: 'token', userId: world.ada.userId, tokenId: 'acc', scopes: new Set() },
    })
    expect(JSON.stringify(await token.shares.listSharedRecords({ shareId }))).toBe(whole)
    const isMine = { filter: filter({ fieldId: 'Reader', operator: 'is', value: 'Me' }) }
    expect((await api.shares.listSharedRecords({ shareId, ...isMine })).records).toEqual([])
    await api.views.setViewFilter(
      of({ filter: filter({ fieldId: ids.Reader ?? '', operator: 'is', value: 'Me' }) }),
    )
    expect((await api.shares.listSharedRecords({ shareId })).records).toEqual([])
  })

  test('[SHARE-6] what was deleted is gone in the words for what is not there', async () => {
    const missing = 'shr0000000000000000'
    const told = async (id: string) => {
      const calls: readonly Promise<unknown>[] = [
        shares().getSharedView({ shareId: id }),
        shares().listSharedRecords({ shareId: id }),
        shares().countSharedRecords({ shareId: id }),
        shares().aggregateSharedRecords({ shareId: id }),
        shares().submitSharedForm({ shareId: id, fields: {} }),
        shares().proveSharePassword({ shareId: id, password: 'x' }),
        shares().listSharedLinkRecords({ shareId: id, fieldId: 'x' }),
        shares().listSharedCollaborators({ shareId: id, fieldId: 'x' }),
      ]
      const outcomes = await Promise.allSettled(calls)
      return JSON.stringify(outcomes).replaceAll(id, missing)
    }
    const gone = await told(missing)
    expect(gone.match(/not_found/g)).toHaveLength(8)
    const { baseId, ada } = world
    await api.views.deleteView(of())
    expect(await told(shareId)).toBe(gone)
    const nodes = await api.tree.listNodes({ baseId })
    const node = nodes.find(({ resourceId }) => resourceId === table.id)
    const again = await api.views.createView({ tableId: table.id, type: 'grid' })
    viewId = again.id
    shareId = (await api.views.enableShare(of())).shareId
    await api.tree.deleteNode({ baseId, nodeId: node?.id ?? '' })
    expect(await told(shareId)).toBe(gone)
    const place = await api.bases.createBase({ spaceId: ada.spaceId })
    const inBase = await api.tables.createTable({ baseId: place.id })
    table = { ...table, id: inBase.id }
    viewId = inBase.views[0]?.id ?? ''
    shareId = (await api.views.enableShare(of())).shareId
    expect(await told(shareId)).not.toBe(gone)
    await api.bases.deleteBase({ baseId: place.id })
    expect(await told(shareId)).toBe(gone)
    await api.bases.deleteBasePermanently({ baseId: place.id })
    expect(await told(shareId)).toBe(gone)
  })

  test('[SHARE-6] nothing is kept of the shares of a table that is gone for good', async () => {
    await api.tables.deleteTablePermanently({ baseId: world.baseId, tableId: table.id })
    await world.finishJobs()
    const kept = await world.engine.store.read((tx) => tx.viewShares.listOf(table.id))
    expect(kept).toEqual([])
  })

  test('[SHARE-7] asks for the password, and takes its token until one of both ends', async () => {
    const password = 'open sesame'
    await api.views.setShareMeta(of({ password }))
    const asked = { code: 'unauthorized_share' }
    await expect(shares().getSharedView({ shareId })).rejects.toMatchObject(asked)
    await expect(list()).rejects.toMatchObject(asked)
    await expect(api.shares.listSharedRecords({ shareId })).rejects.toMatchObject(asked)
    await expect(shares().proveSharePassword({ shareId, password: 'wrong' })).rejects.toMatchObject(
      { code: 'invalid_credentials' },
    )
    const prove = () => shares().proveSharePassword({ shareId, password })
    const { token } = await prove()
    const visit = async (text = token, id = shareId) => {
      const actor = await world.engine.authenticate(text)
      return world.engine.as(actor ?? { kind: 'anonymous' }).shares.getSharedView({ shareId: id })
    }
    expect(await visit()).toMatchObject({ shareId })
    for (const text of [`${token}0`, token.replace(/\d+\./, '9999999999999.'), 'share.', 'x']) {
      await expect(visit(text)).rejects.toMatchObject(asked)
    }
    const other = await api.views.createView({ tableId: table.id, type: 'grid' })
    const inOther = { tableId: table.id, viewId: other.id }
    const { shareId: otherId } = await api.views.enableShare(inOther)
    await api.views.setShareMeta({ ...inOther, password })
    await expect(visit(token, otherId)).rejects.toMatchObject(asked)
    world.clock.advance(limits.shareTokenHours * hourMs - 1)
    expect(await visit()).toMatchObject({ shareId })
    world.clock.advance(1)
    await expect(visit()).rejects.toMatchObject(asked)
    const { token: second } = await prove()
    await api.views.setShareMeta(of({ password }))
    await expect(visit(second)).rejects.toMatchObject(asked)
    const { token: third } = await prove()
    expect(await visit(third)).toMatchObject({ shareId })
    const { shareId: next } = await api.views.refreshShareId(of())
    await expect(visit(third, next)).rejects.toMatchObject(asked)
    await api.views.disableShare(of())
    await expect(visit(third, next)).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      (async () =>
        world.engine.as((await world.engine.authenticate(third)) as never).spaces.listSpaces())(),
    ).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('[SHARE-8] locks who guesses, by the share and by the address', async () => {
    await api.views.setShareMeta(of({ password: 'open sesame' }))
    const guess = (address: string, password = 'wrong') =>
      shares().proveSharePassword({ shareId, password }, { origin: { address } })
    const tooMany = { code: 'too_many_requests' }
    const wrong = { code: 'invalid_credentials' }
    for (let tries = 0; tries < limits.shareFailuresPerAddress; tries++) {
      await expect(guess('203.0.113.1')).rejects.toMatchObject(wrong)
    }
    await expect(guess('203.0.113.1', 'open sesame')).rejects.toMatchObject(tooMany)
    for (
      let tries = limits.shareFailuresPerAddress;
      tries < limits.shareFailuresPerShare;
      tries++
    ) {
      // A guess that was right doesn't count.
      await guess(`198.51.100.${tries}`, 'open sesame')
      await expect(guess(`198.51.100.${tries}`)).rejects.toMatchObject(wrong)
    }
    await expect(guess('192.0.2.1', 'open sesame')).rejects.toMatchObject(tooMany)
    world.clock.advance(limits.signInLockMinutes * 60_000)
    expect(await guess('192.0.2.1', 'open sesame')).toMatchObject({ token: expect.any(String) })
  })
})
