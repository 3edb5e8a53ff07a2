import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TableWorld } from '@gateleg/testing/worlds/table-world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AnswerTooLong } from '../answers/answer-too-long.ts'
import { limits } from '../limits.ts'
import { isLongOutput } from './showing/long-outputs.ts'

/** Small records first, so that what was read before tells nothing of what comes. */
const lengths = [...new Array(30).fill(5), ...new Array(30).fill(4_000), 90_000, 5, 5]
const recordsLength = 20_000

describeOnEveryStorage('large records', (storage) => {
  let world: TableWorld
  let table: { id: string }

  beforeEach(async () => {
    world = await openTableWorld(storage)
    table = await world.makeTable(
      'Pages',
      [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Text', type: 'longText' },
      ],
      lengths.map((length, index) => ({ Name: `${index}`, Text: 'x'.repeat(length) })),
    )
  })
  afterEach(() => world.close())

  const list = (more: object = {}) =>
    world.api.records.listRecords({ tableId: table.id, take: 2_000, ...more })

  const walk = async (more: object = {}) => {
    const pages: { names: (string | undefined)[]; length: number }[] = []
    for (let cursor: string | undefined; ; ) {
      const { records, nextCursor } = await list({ ...more, ...(cursor && { cursor }) })
      const texts = records.map(({ fields }) => String(fields.Text).length)
      const length = texts.reduce((sum, one) => sum + one, 0)
      pages.push({ names: records.map(({ name }) => name), length })
      if (nextCursor === null) return pages
      cursor = nextCursor
    }
  }

  test('[HTTP-57] a record that is read or changed is known to be long, or not', async () => {
    const tableId = table.id
    const { records } = await list({ take: 1 })
    const recordId = records[0]?.id ?? ''
    const read = () => world.api.records.getRecord({ tableId, recordId })
    expect(isLongOutput(await read())).toBe(false)
    const fields = { Text: 'x'.repeat(200_000) }
    const changed = await world.api.records.updateRecord({ tableId, recordId, record: { fields } })
    expect([changed, await read()].map(isLongOutput)).toEqual([true, true])
  })

  test('[RECORD-31] [RECORD-18] pages end at a size, and a walk has every record once', async () => {
    const names = lengths.map((_, index) => `${index}`)
    expect(await walk()).toEqual([{ names, length: expect.anything() }])
    await withLimits({ recordsLength }, async () => {
      for (const more of [{}, { take: 4 }, { take: 40 }]) {
        const pages = await walk(more)
        expect(pages.flatMap((page) => page.names)).toEqual(names)
        expect(pages.length).toBeGreaterThan(6)
        for (const page of pages) {
          expect(page.length <= recordsLength || page.names.length === 1).toBe(true)
        }
      }
      expect((await list({ skip: 30 })).records.map(({ name }) => name)[0]).toBe('30')
    })
  })

  test('[RECORD-34] a list that is longer than the call allows is not answered, in part or whole', async () => {
    const from = (skip: number, take: number, answerLength: number) =>
      world.api.records.listRecords({ tableId: table.id, skip, take }, { answerLength })
    await expect(from(0, 2_000, recordsLength)).rejects.toThrow(AnswerTooLong)
    // One record alone may be too long.
    await expect(from(60, 1, recordsLength)).rejects.toThrow(AnswerTooLong)
    expect((await from(0, 20, recordsLength)).records).toHaveLength(20)
    expect(await from(0, 2_000, 10_000_000)).toEqual(await list())
    const short = await world.api.records.listRecords(
      { tableId: table.id, take: 2_000 },
      { answerLength: recordsLength, mayEndSooner: true },
    )
    const { length } = short.records
    expect(length).toBeGreaterThan(30)
    const next = await list({ cursor: short.nextCursor })
    expect([...short.records, ...next.records]).toEqual((await list()).records)
  })

  test('[RECORD-32] an update of more than a request may hold is refused and changes nothing', async () => {
    const { records } = await list()
    const update = (count: number) =>
      world.api.records.updateRecords({
        tableId: table.id,
        records: records.slice(-count).map(({ id }) => ({ id, fields: { Name: 'changed' } })),
      })
    await withLimits({ recordsLength, recordsLengthPerRequest: 150_000 }, async () => {
      await expect(update(33)).rejects.toMatchObject({
        code: 'validation_error',
        message: expect.stringContaining('150000 characters'),
      })
      expect((await list({ projection: ['Name'] })).records[40]?.name).not.toBe('changed')
      expect(await update(10)).toHaveLength(10)
    })
  })

  test('[RECORD-44] a page ends before its JSON is too long, and the next one goes on', async () => {
    const names = lengths.map((_, index) => `${index}`)
    for (const answerBytes of [20_000, 300_000]) {
      await withLimits({ answerBytes }, async () => {
        const pages = await walk()
        expect(pages.flatMap((page) => page.names)).toEqual(names)
        for (const page of pages) {
          expect(page.length <= answerBytes || page.names.length === 1).toBe(true)
        }
      })
    }
    const page = await list()
    const answerBytes = Buffer.byteLength(JSON.stringify(page.records)) - 2
    const most = await withLimits({ answerBytes }, () => list())
    expect(most.records).toEqual(page.records.slice(0, -1))
    expect(await withLimits({ answerBytes: answerBytes + 1 }, () => list())).toEqual(page)
  })

  const tooMuch = {
    code: 'validation_error',
    message: expect.stringContaining('change fewer records at once'),
  }

  test('[RECORD-43] a write that answers too much is refused and changes nothing', async () => {
    const { records } = await list()
    const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) - 1
    const change = (count: number, Name: string, more: object = {}) =>
      world.api.records.updateRecords(
        {
          tableId: table.id,
          records: records.slice(-count).map(({ id }) => ({ id, fields: { Name } })),
        },
        more,
      )
    const answerBytes = bytesOf(await change(33, 'changed'))
    await withLimits({ answerBytes: answerBytes - 1 }, async () => {
      await world.expectNoTrace(() => change(33, 'CHANGED'), tooMuch)
      expect(await change(32, 'changes')).toHaveLength(32)
    })
    const shorter = { answerLength: answerBytes - 1 }
    await world.expectNoTrace(() => change(33, 'CHANGED', shorter), new AnswerTooLong())
    await withLimits({ answerBytes }, () => change(33, 'CHANGED'))
    // One alone can't be fewer.
    await withLimits({ answerBytes: 100 }, () => change(1, 'change'))
    const little = { answerLength: 100 }
    await world.expectNoTrace(() => change(1, 'CHANGE', little), new AnswerTooLong())
  })

  test('[RECORD-43] records that are made long by defaults are refused before they are stored', async () => {
    await world.addField(table, {
      name: 'Default',
      type: 'longText',
      options: { defaultValue: 'x'.repeat(10_000) },
    })
    const make = (count: number, more: object = {}) =>
      world.api.records.createRecords(
        { tableId: table.id, records: Array.from({ length: count }, () => ({ fields: {} })) },
        more,
      )
    await withLimits({ answerBytes: 100_000 }, async () => {
      await world.expectNoTrace(() => make(10), tooMuch)
      expect((await make(9)).records).toHaveLength(9)
      const fields = [
        {
          name: 'Name',
          type: 'singleLineText' as const,
          options: { defaultValue: 'y'.repeat(10_000) },
        },
      ]
      const input = { baseId: world.baseId, name: 'Long', fields }
      const records = Array.from({ length: 10 }, () => ({ fields: {} }))
      await world.expectNoTrace(() => world.api.tables.createTable({ ...input, records }), tooMuch)
    })
    await expect(make(10, { answerLength: 50_000 })).rejects.toThrow(AnswerTooLong)
  })

  test('[RECORD-46] records are deleted whatever their size, but not too many long ones at once', async () => {
    expect(limits.bytesPerDelete).toBe(256 * 1024 * 1024)
    const { records } = await list()
    const ids = records.map(({ id }) => id)
    const refusal = {
      code: 'validation_error',
      data: {
        issues: [{ path: ['recordIds'], message: expect.stringContaining('fewer at once') }],
      },
    }
    const bytes = await world.engine.store.read(async (tx) => {
      const [stored] = await tx.tables.findAll([table.id], 'none')
      return stored ? tx.recordSizes.bytesOf(await tx.fields.schemaOf(stored), ids) : 0
    })
    await withLimits({ recordsLength, bytesPerDelete: bytes - 1 }, async () => {
      await world.expectNoTrace(() => world.remove(table, ...ids), refusal)
      for (const id of ids.slice(0, 5)) await world.remove(table, id)
    })
    await withLimits({ recordsLengthPerRequest: 30_000, bytesPerDelete: bytes - 1 }, () =>
      world.remove(table, ...ids.slice(5)),
    )
    expect((await list()).records).toEqual([])
  })

  test('[CALC-36] computed values are right, however much they are worked out from at a time', async () => {
    const { records } = await list({ projection: ['Name'] })
    const shelves = await world.makeTable('Shelves', [{ name: 'Name', type: 'singleLineText' }], [])
    const link = await world.addField(shelves, {
      name: 'Pages',
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId: table.id, isOneWay: true },
    })
    const pages = records.map(({ id }) => [{ id }])
    await world.add(shelves, ...pages.map((Pages) => ({ Pages })))
    const text = await world.fieldOf(table, 'Text')
    await withLimits({ recordsLength, recordsLengthPerRequest: 80_000 }, async () => {
      await world.addField(shelves, {
        name: 'Texts',
        type: 'longText',
        isLookup: true,
        lookupOptions: {
          foreignTableId: table.id,
          linkFieldId: link.id,
          lookupFieldId: text.id,
        },
      })
      await world.finishJobs()
    })
    const texts = await world.textsOf(shelves, 'Texts')
    // The one that is more than may be read for a record is left out.
    const expected = lengths.map((length) => (length > 80_000 ? 0 : length))
    expect(texts.map((one) => String(one ?? '').length)).toEqual(expected)
  })

  test('[BASE-13] the hash of a base is the same, however many records are read at a time', async () => {
    const verify = () => world.api.bases.verifyBase({ baseId: world.baseId })
    const whole = await verify()
    expect(whole.records).toBe(lengths.length)
    expect(await withLimits({ recordsLength }, verify)).toEqual(whole)
    expect(await withLimits({ recordsLength: 1 }, verify)).toEqual(whole)
  })
})
