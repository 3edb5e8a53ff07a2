import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { StoredFile } from './attachment-repository.ts'

describeOnEveryStorage('attachment cells', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable

  beforeAll(async () => {
    await store('text', { size: 12, mimetype: 'text/plain', width: null, height: null })
    await store('image', { size: 999, mimetype: 'image/png', width: 40, height: 30 })
    const eve = await world.newPerson('Eve')
    await store('foreign', { spaceId: eve.spaceId })
    const { id: spaceId } = await world.api.spaces.createSpace({ name: 'Other' })
    await store('elsewhere', { spaceId })
  })
  beforeEach(async () => {
    table = await world.makeNames('Notes', 'a', 'b')
    await world.addField(table, { type: 'attachment', name: 'Files' })
  })
  afterEach(() => world.clear())

  const store = (token: string, settings: Partial<StoredFile>) =>
    world.engine.store.write((tx) =>
      tx.attachments.insert({
        token,
        spaceId: world.ada.spaceId,
        path: `table/${token}`,
        size: 1,
        mimetype: 'a/b',
        width: 1,
        height: 1,
        createdBy: world.ada.userId,
        createdTime: new Date(world.clock.now()).toISOString(),
        attachedTime: null,
        ...settings,
      }),
    )
  const attach = async (files: unknown, typecast = false) =>
    (await world.change(table, table.recordIds[0], { Files: files }, typecast)).Files as
      | readonly { readonly id: string }[]
      | undefined
  const text = { path: 'table/text', size: 12, mimetype: 'text/plain' }
  const image = { path: 'table/image', size: 999, mimetype: 'image/png', width: 40, height: 30 }

  test('[ATTACH-1] [ATTACH-6] refuse tokens that were not issued for the space', async () => {
    await attach([{ name: 'a', token: 'text' }])
    for (const token of ['unknown', 'foreign', 'elsewhere', '__proto__']) {
      const files = [
        { name: 'a', token: 'image' },
        { name: 'b', token },
      ]
      await world.expectNoTrace(() => attach(files), invalidAt('record', 'fields', 'Files'))
      await world.expectNoTrace(() => attach(files, true), invalidAt('record', 'fields', 'Files'))
      await world.expectNoTrace(
        () => world.add(table, {}, { Files: files }),
        invalidAt('records', 1, 'fields', 'Files'),
      )
    }
    expect((await world.cellsOf(table, 'Files'))[0]).toHaveLength(1)
  })

  test('[ATTACH-1] [ATTACH-6] refuse what names no file', async () => {
    for (const files of [
      'text',
      { name: 'a', token: 'text' },
      [{ token: 'text' }],
      [{ name: 'a' }],
      [{ name: '', token: 'text' }],
      [{ name: 'a', token: 'text', id: 'file1' }],
      [null],
      new Array(1_001).fill({ name: 'a', token: 'text' }),
    ]) {
      await world.expectNoTrace(() => attach(files), invalidAt('record', 'fields', 'Files'))
    }
  })

  test('[FIELD-162] keep the files whose names are sent back as the text of the cell', async () => {
    const cell = await attach([
      { name: 'a, b (c).txt', token: 'text' },
      { name: 'b.png', token: 'image' },
    ])
    const [named] = await world.textsOf(table, 'Files')
    expect(await attach(named, true)).toEqual(cell)
    expect(await attach('b.png (image)', true)).toBeUndefined()
    expect(await attach(named, true)).toBeUndefined()
  })

  test('[ATTACH-2] hold what was stored, whatever is sent', async () => {
    const lies = {
      path: 'x',
      size: 5,
      mimetype: 'x/y',
      width: 7,
      height: 8,
      presignedUrl: 'http://x',
      smThumbnailUrl: 'http://x',
    }
    const files = [
      { ...lies, name: 'a.txt', token: 'text' },
      { ...lies, name: 'b.png', token: 'image' },
    ]
    const id = expect.stringMatching(/^act[0-9a-zA-Z]{16}$/)
    const presignedUrl = expect.stringMatching(/^\/api\/attachments\/read\/table\/\w+\?token=/)
    const thumbnails = {
      smThumbnailUrl: expect.stringMatching(/^\/api\/.*&thumbnail=sm$/),
      lgThumbnailUrl: expect.stringMatching(/^\/api\/.*&thumbnail=lg$/),
    }
    const cell = [
      { id, name: 'a.txt', token: 'text', presignedUrl, ...text },
      { id, name: 'b.png', token: 'image', presignedUrl, ...image, ...thumbnails },
    ]
    expect(await attach(files)).toEqual(cell)
    expect(await world.cellsOf(table, 'Files')).toEqual([cell, null])
    expect(await world.textsOf(table, 'Files')).toEqual(['a.txt (text),b.png (image)', null])
    expect(await attach({ name: 'c', token: 'text' }, true)).toEqual([
      { id, name: 'c', token: 'text', presignedUrl, ...text },
    ])
  })

  test('[ATTACH-3] keep ids, and get those that they lack', async () => {
    const item = { name: 'a', token: 'text' }
    const cell = await attach([
      { ...item, id: 'actGiven' },
      item,
      { ...item, id: 'actGiven' },
      { ...item, id: 'actOther' },
    ])
    const ids = cell?.map(({ id }) => id) ?? []
    expect(new Set(ids).size).toBe(4)
    expect([ids[0], ids[3]]).toEqual(['actGiven', 'actOther'])
    expect(await attach([{ ...item, id: ids[1] }])).toMatchObject([
      { ...item, id: ids[1], ...text },
    ])
  })

  test('[ATTACH-4] [ATTACH-5] keep their order, and are sent back as they are', async () => {
    const sent = ['b', 'a', 'c'].map((name) => ({ name, token: 'text' }))
    const cell = await attach(sent)
    expect(cell).toMatchObject(sent)
    const place = { tableId: table.id, recordId: table.recordIds[0] ?? '' }
    const before = await world.api.records.getRecord(place)
    expect(await attach(cell)).toEqual(cell)
    expect(await attach(cell, true)).toEqual(cell)
    expect(await world.api.records.getRecord(place)).toEqual(before)
    expect(await attach(cell?.toReversed())).toEqual(cell?.toReversed())
    expect(await attach([])).toBeUndefined()
    await attach(cell)
    expect(await attach(null)).toBeUndefined()
    const [made] = await world.add(table, { Files: sent }, { Files: [] })
    expect(await world.recordOf(table, made)).toMatchObject({ Files: sent })
  })

  test('[ATTACH-4] are required where their field says so', async () => {
    const empty = await world.makeTable('Empty', [{ type: 'number' }], [])
    await world.addField(empty, { type: 'attachment', name: 'Proof', notNull: true })
    const missing = invalidAt('records', 0, 'fields', 'Proof')
    await world.expectNoTrace(() => world.add(empty, { Proof: [] }), missing)
    expect(await world.add(empty, { Proof: [{ name: 'a', token: 'text' }] })).toHaveLength(1)
  })
})
