import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TableWorld } from '@gateleg/testing/worlds/table-world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AnswerTooLong } from '../../answers/answer-too-long.ts'
import { limits } from '../../limits.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { toRecordOutputs } from './record-output.ts'
import { showWithin } from './show-within.ts'

const formatting = { type: 'currency', precision: 5, symbol: '漢'.repeat(10) }
const wide = 60
const count = 40
/** A name of which each character takes six bytes as JSON. */
const nameOf = (index: number) => `${'\u0001'.repeat(80)}${index}`

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describeOnEveryStorage('records that are longer as shown than as stored', (storage) => {
  let world: TableWorld
  let table: { id: string }

  beforeEach(async () => {
    world = await openTableWorld(storage)
    const indexes = Array.from({ length: wide }, (_, index) => index)
    const fields = [
      { name: 'Name', type: 'singleLineText' },
      ...indexes.map((index) => ({ name: nameOf(index), type: 'number', options: { formatting } })),
    ]
    const numbers = Object.fromEntries(indexes.map((index) => [nameOf(index), 1e308]))
    const records = Array.from({ length: count }, (_, index) => ({ Name: `${index}`, ...numbers }))
    table = await world.makeTable('Wide', fields, records)
  })
  afterEach(() => world.close())

  const list = (more: object = {}, options: object = {}) =>
    world.api.records.listRecords({ tableId: table.id, take: 2_000, ...more }, options)

  const shapes = [
    { cellFormat: 'text', fieldKeyType: 'id' },
    { cellFormat: 'text', fieldKeyType: 'name' },
    { cellFormat: 'json', fieldKeyType: 'name' },
    { cellFormat: 'json', fieldKeyType: 'id' },
  ]
  const queries = [{}, { orderBy: [{ fieldId: 'Name', order: 'desc' }] }]

  test('[RECORD-44] [RECORD-57] pages end at their bytes as they are shown, and a walk has every record once', async () => {
    const { records } = await list({ fieldKeyType: 'id' })
    const primary = Object.keys(records[0]?.fields ?? {})[0]
    for (const shape of shapes) {
      for (const query of queries) {
        const orderBy = query.orderBy?.map(({ order }) => ({
          fieldId: shape.fieldKeyType === 'id' ? primary : 'Name',
          order,
        }))
        const asked = { ...shape, ...(orderBy && { orderBy }) }
        const whole = await list(asked)
        expect(whole).toMatchObject({ records: { length: count }, nextCursor: null })
        const answerBytes = 100_000
        await withLimits({ answerBytes, valuesReadAhead: 500 }, async () => {
          const walked: unknown[] = []
          for (let cursor: string | null | undefined; cursor !== null; ) {
            const page = await list({ ...asked, ...(cursor && { cursor }) })
            expect(bytesOf(page.records)).toBeLessThanOrEqual(answerBytes + 1)
            walked.push(...page.records)
            cursor = page.nextCursor
          }
          expect(walked).toEqual(whole.records)
        })
      }
    }
  })

  test('[RECORD-44] each value counts for the memory that it takes, and only those that are shown', async () => {
    const least = wide * limits.answerBytesPerValue
    const shape = { fieldKeyType: 'id', cellFormat: 'json' }
    const { records } = await list(shape)
    expect(bytesOf(records[0])).toBeLessThan(least)
    await withLimits({ answerBytes: 10 * least }, async () => {
      expect((await list(shape)).records).toHaveLength(9)
      const [field = ''] = Object.keys(records[0]?.fields ?? {})
      expect((await list({ ...shape, projection: [field] })).records).toHaveLength(count)
    })
  })

  test('[RECORD-34] a list keeps to the bytes that the call allows, as its records are shown', async () => {
    for (const shape of shapes) {
      const whole = await list(shape)
      const answerLength = bytesOf(whole.records) + count * 2_000
      expect(await list(shape, { answerLength })).toEqual(whole)
      const less = { answerLength: Math.floor(bytesOf(whole.records) / 2) }
      await expect(list(shape, less)).rejects.toThrow(AnswerTooLong)
      const part = await list(shape, { ...less, mayEndSooner: true })
      expect(bytesOf(part.records)).toBeLessThanOrEqual(less.answerLength + 1)
      expect(part.records).toEqual(whole.records.slice(0, part.records.length))
      expect(part.records.length).toBeGreaterThan(0)
    }
  })

  /** Works on the records of the table, and counts how often others have their turn. */
  const withRecords = <T>(
    work: (tx: ReadTx, schema: TableSchema, records: readonly StoredRecord[]) => Promise<T>,
  ) => {
    let turns = 0
    return world.engine.store.read(async (tx) => {
      const counting: ReadTx = Object.assign(Object.create(tx), {
        giveWay: async () => {
          turns++
        },
      })
      const [found] = await tx.tables.findAll([table.id], 'none')
      if (!found) throw new Error('the table is there')
      const schema = await tx.fields.schemaOf(found)
      const { records } = await tx.records.page(schema, { after: 0, skip: 0, take: count })
      return { made: await work(counting, schema, records), turns }
    })
  }
  const textShape = {
    fieldKeyType: 'name',
    cellFormat: 'text',
    actor: { kind: 'anonymous' },
    publicUrl: undefined,
  } as const

  test('[RECORD-57] nothing is read beyond the record with which the bytes are reached', async () => {
    let read = 0
    const { made } = await withRecords(async (tx, schema, records) => {
      async function* source() {
        for (const record of records) {
          read++
          yield [record]
        }
        return false
      }
      return showWithin(tx, schema, source(), textShape, { most: 2_000, bytes: 300_000 })
    })
    expect(made).toMatchObject({ hasMore: true, isTooLong: true })
    expect(made.records.length).toBeGreaterThan(1)
    expect(made.records.length).toBeLessThan(count / 2)
    expect(read).toBe(made.records.length + 1)
  })

  test('[RECORD-33] records of many cells are shown a few at a time', async () => {
    const shown = await withRecords((tx, schema, records) =>
      toRecordOutputs(tx, schema, records.slice(0, 30), { ...textShape, fieldKeyType: 'id' }),
    )
    expect(shown.made).toHaveLength(30)
    expect(shown.turns).toBeGreaterThan(1)
  })

  test('[RECORD-33] the long cells of one record are shown as text one at a time', async () => {
    const fields = ['A', 'B', 'C'].map((name) => ({ name, type: 'longText' }))
    const text = 'x'.repeat(20_000)
    const long = await world.makeTable('Long', fields, [{ A: text, B: text, C: text }])
    table = long
    for (const turns of [4, 0]) {
      const shape = turns ? textShape : ({ ...textShape, cellFormat: 'json' } as const)
      const shown = await withRecords((tx, schema, records) =>
        toRecordOutputs(tx, schema, records, shape),
      )
      expect(shown).toMatchObject({ made: [{ fields: { A: text, C: text } }], turns })
    }
  })

  test('[RECORD-58] a record that is too long as text is refused, with what to ask for', async () => {
    const tableId = table.id
    const { records } = await list()
    const recordId = records[0]?.id ?? ''
    const get = (more: object) => world.api.records.getRecord({ tableId, recordId, ...more })
    const whole = await get({ cellFormat: 'text' })
    const refusal = {
      code: 'validation_error',
      data: {
        issues: [{ path: ['cellFormat'], message: expect.stringContaining('by projection') }],
      },
    }
    await withLimits({ textRecordLength: 10_000 }, async () => {
      await expect(get({ cellFormat: 'text' })).rejects.toMatchObject(refusal)
      await expect(list({ cellFormat: 'text' })).rejects.toMatchObject(refusal)
      const some = { cellFormat: 'text', projection: ['Name', nameOf(3)] }
      expect((await get(some)).fields).toEqual({
        Name: '0',
        [nameOf(3)]: whole.fields[nameOf(3)],
      })
      expect((await get({})).fields[nameOf(3)]).toBe(1e308)
    })
  })
})
