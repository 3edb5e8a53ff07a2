import { archivedRecords, archivedTable, archiveOf } from '@gateleg/testing/operations/archives'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TableWorld } from '@gateleg/testing/worlds/table-world'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toTimestamp } from '../clock.ts'
import { searchKey } from '../schemas/search-key.ts'

describeOnEveryStorage('the index of searches', (storage) => {
  let world: TableWorld

  beforeEach(async () => {
    world = await openTableWorld(storage)
  })
  afterEach(() => world.close())

  const fields = [
    { type: 'singleLineText', name: 'Name' },
    { type: 'number', name: 'Number' },
    { type: 'date', name: 'Day' },
    {
      type: 'singleSelect',
      name: 'Level',
      options: { choices: [{ name: 'low' }, { name: 'lower' }] },
    },
    {
      type: 'multipleSelect',
      name: 'Tags',
      options: { choices: [{ name: 'red' }, { name: 'Reddish' }] },
    },
    { type: 'formula', name: 'Both', options: { expression: '{Name} & " " & {Number}' } },
    { type: 'user', name: 'Reader' },
  ]
  const words = ['Émile', 'emil', 'straße', 'STRASSE', 'smile', 'a%b_c', 'ab']
  const value = fc.record(
    {
      Name: fc.constantFrom(...words),
      Number: fc.constantFrom(0, 12, 1234.5, -1),
      Day: fc.constantFrom('2026-03-18', '2026-03-18T10:00:00Z', '1999-01-01'),
      Level: fc.constantFrom('low', 'lower'),
      Tags: fc.subarray(['red', 'Reddish']),
    },
    { requiredKeys: [] },
  )
  const texts = [
    'mil',
    'émile',
    'trass',
    'straß',
    '123',
    'slow',
    'red, r',
    'emil 12',
    '2026',
    'a%b',
    'zzz',
    'walrus',
  ]
  const small = {
    recordsIndexed: 1,
    recordsPerSegment: 8,
    recordsChangedPerSegment: 3,
    changesLeft: 1,
  }
  const few = <T>(work: () => Promise<T>) => withLimits(small, work)

  const keep = async () => {
    // After this long, indexes are looked at again.
    world.clock.advance(10 * 60_000)
    await world.engine.store.write(async ({ jobs }) => {
      const dueTime = toTimestamp(world.clock.now())
      await jobs.hasten({ id: 'keep-indexes', kind: 'keep-indexes', dueTime, failures: 0 })
    })
    await world.finishJobs()
    world.clock.advance(61_000)
    await world.finishJobs()
  }
  const indexOf = async (tableId: string) =>
    (await world.engine.store.write(({ tableIndexes }) => tableIndexes.listOf(tableId))).find(
      ({ key }) => key === searchKey,
    )
  const headOf = (tableId: string) =>
    world.engine.store.write(({ searchSignatures }) => searchSignatures.headOf(tableId))
  const count = async (tableId: string, text: string, field = '') =>
    (await world.api.aggregations.getRowCount({ tableId, search: [text, field, true] } as never))
      .rowCount
  const ask = async (tableId: string) => {
    for (let time = 0; time < 3; time++) await count(tableId, 'mil')
    await keep()
  }
  const rows = Array.from({ length: 30 }, (_, n) => ({ Name: `${words[n % 4]} ${n}`, Number: n }))

  /** What is found with the index, and what is found where no search is long enough for it. */
  const answers = async (tableId: string) => {
    const all = []
    for (const text of texts) {
      const search = [text, '', true]
      const { records, extra } = await world.api.records.listRecords({ tableId, search } as never)
      const { count: hits } = await world.api.aggregations.getSearchCount({
        tableId,
        search: [text],
      })
      const places = await world.api.aggregations.getSearchIndex({
        tableId,
        search: [text],
        take: 9,
      } as never)
      const ids = records.map(({ id }) => id)
      all.push({ text, ids, hits, places, extra: extra?.searchHitIndex })
    }
    return all
  }
  const plain = (tableId: string) => withLimits({ recordsPerSearch: -1 }, () => answers(tableId))

  test('[INDEX-11] is made of what is searched three times, of tables that are long', async () => {
    const { id: tableId } = await world.makeTable('Rows', fields, rows)
    await withLimits({ ...small, recordsIndexed: 31 }, () => ask(tableId))
    expect(await indexOf(tableId)).toBeUndefined()
    await few(async () => {
      for (let time = 0; time < 3; time++) await count(tableId, 'mi')
      await keep()
      expect(await indexOf(tableId)).toBeUndefined()
      await ask(tableId)
    })
    expect(await indexOf(tableId)).toMatchObject({ state: 'ready' })
    expect(await headOf(tableId)).toMatchObject({ signed: 3, whole: 3 })
  })

  test('[INDEX-15] is not made of long texts', async () => {
    const { id: tableId } = await world.makeTable('Rows', fields, rows)
    await withLimits({ ...small, trigramsOfRecord: 5 }, () => ask(tableId))
    expect(await indexOf(tableId)).toBeUndefined()
    expect(await headOf(tableId)).toBeUndefined()
  })

  test('[INDEX-12] takes in what is made and changed, and notes it until then', async () => {
    const { id: tableId } = await world.makeTable('Rows', fields, rows)
    await few(async () => {
      await ask(tableId)
      const listed = await world.api.records.listRecords({ tableId })
      const [first, second, third] = listed.records.map(({ id }) => id)
      const write = (id = '', Name: string) =>
        world.api.records.updateRecords({ tableId, records: [{ id, fields: { Name } }] } as never)
      await write(first, 'walrus')
      expect(await count(tableId, 'walrus')).toBe(1)
      const notes = () =>
        world.engine.store.write(({ searchSignatures }) => searchSignatures.changesOf(tableId, 9))
      expect((await notes()).flatMap(({ numbers }) => numbers)).toContainEqual([1, 1])
      await write(second, 'walrus')
      await write(third, 'walrus')
      await world.api.records.createRecords({
        tableId,
        records: rows.slice(0, 3).map((fields) => ({ fields })),
      } as never)
      await keep()
      expect(await notes()).toEqual([])
      expect(await headOf(tableId)).toMatchObject({ signed: 4, whole: 4 })
      expect(await count(tableId, 'walrus')).toBe(3)
    })
  })

  test('[INDEX-12] is made of records whose numbers lie far apart, and then is over', async () => {
    const [, record = []] = archivedRecords as [object, unknown[]]
    const lines = [1, 2_000_000_000].map((number) => [`rec${number}`, number, ...record.slice(2)])
    const content = archiveOf([...archivedTable, archivedRecords[0], ...lines])
    const { spaceId } = world.ada
    const { id: baseId } = await world.api.archives.importBase({ spaceId, content })
    const [{ id: tableId } = { id: '' }] = await world.api.tables.listTables({ baseId })
    const askEmma = async () => {
      for (let time = 0; time < 3; time++) await count(tableId, 'emma')
      await keep()
    }
    await withLimits({ ...small, recordsIndexed: 3 }, askEmma)
    expect(await indexOf(tableId)).toBeUndefined()
    await few(async () => {
      await askEmma()
      expect(await indexOf(tableId)).toMatchObject({ state: 'ready' })
      expect(await headOf(tableId)).toMatchObject({ signed: 250_000_000, whole: 250_000_000 })
      expect(await count(tableId, 'emma')).toBe(2)
    })
    expect(await world.engine.store.write(({ jobs }) => jobs.hasKind('sign-records'))).toBe(false)
  })

  test('[INDEX-13] is made anew when fields change, and goes with its table', async () => {
    const { id: tableId } = await world.makeTable('Rows', fields, rows)
    await few(async () => {
      await ask(tableId)
      await world.api.fields.createField({ tableId, type: 'number', name: 'More' } as never)
      await world.convert({ id: tableId }, 'Number', { type: 'singleLineText' })
      const before = await plain(tableId)
      expect(await answers(tableId)).toEqual(before)
      await keep()
      expect(await indexOf(tableId)).toMatchObject({ state: 'ready' })
      expect((await indexOf(tableId))?.definition.split('\n')).toHaveLength(8)
      expect(await answers(tableId)).toEqual(before)
      await world.api.tables.deleteTable({ tableId, baseId: world.baseId })
      world.clock.advance(3_600_000)
      await keep()
      expect(await indexOf(tableId)).toBeUndefined()
      expect(await headOf(tableId)).toBeUndefined()
    })
  })

  test('[INDEX-8] stays when a column is renamed that is called as settings of fields are', async () => {
    const named = [...fields, { type: 'number', name: 'Kind', dbFieldName: 'kind' }]
    const { id: tableId } = await world.makeTable('Rows', named, rows)
    await few(async () => {
      await ask(tableId)
      const { id: fieldId } = await world.fieldOf({ id: tableId }, 'Kind')
      await world.api.fields.updateField({ tableId, fieldId, dbFieldName: 'sort_of' })
      const wanted = await world.engine.store.write(async ({ tables, fields, tableIndexes }) => {
        const [table] = await tables.findAll([tableId], 'none')
        return table && tableIndexes.definitionOf(await fields.schemaOf(table), searchKey)
      })
      expect(wanted).toContain('"sort_of"')
      expect((await indexOf(tableId))?.definition).toBe(wanted)
    })
  })

  test('[INDEX-10] is of no use where letters were folded by another version', async () => {
    const { id: tableId } = await world.makeTable('Rows', fields, rows)
    await few(async () => {
      await ask(tableId)
      const index = await indexOf(tableId)
      if (!index) throw new Error('there is no index')
      const found = await count(tableId, 'mil')
      const definition = index.definition.replace(/^[^\n]*/, 'another')
      await world.engine.store.write(async ({ tables, tableIndexes, searchSignatures }) => {
        const head = await searchSignatures.headOf(tableId)
        while (await searchSignatures.removeSome(tableId));
        if (head) await searchSignatures.saveHead(head)
        await tables.renewSchema(tableId, 'other')
        await tableIndexes.save({ ...index, definition })
      })
      expect(await count(tableId, 'mil')).toBe(found)
    })
  })

  test('[INDEX-14] looks at all where a person may be shown', async () => {
    const { id: tableId } = await world.makeTable('Rows', fields, rows)
    await few(async () => {
      await ask(tableId)
      const { records } = await world.api.records.listRecords({ tableId })
      const { id: me } = await world.api.accounts.getUser({})
      const id = records[1]?.id ?? ''
      await world.api.records.updateRecords({
        tableId,
        records: [{ id, fields: { Reader: { id: me } } }],
      } as never)
      await keep()
      await world.api.accounts.changeName({ name: 'Walrus' })
      expect(await count(tableId, 'walrus')).toBe(1)
    })
  })

  test('[INDEX-10] searches find what they find without one, whatever is written', async () => {
    // The other choice has another name by then.
    const newWords = ['walrus', 'zzz', 'Émile 123', 'red']
    const later = fc
      .tuple(value, fc.constantFrom(...newWords))
      .map(([cells, Name]) => ({ ...cells, Name, Level: 'low' }))
    const change = fc.oneof(
      fc.record({ kind: fc.constant('update' as const), at: fc.nat(40), value: later }),
      fc.record({ kind: fc.constant('update' as const), at: fc.nat(40), value: later }),
      fc.record({ kind: fc.constant('create' as const), value: later }),
      fc.record({ kind: fc.constant('delete' as const), at: fc.nat(40) }),
      fc.record({ kind: fc.constantFrom('keep' as const, 'choice' as const, 'format' as const) }),
    )
    const property = fc.asyncProperty(
      fc.array(value, { minLength: 9, maxLength: 20 }),
      fc.array(change, { minLength: 2, maxLength: 5 }),
      async (records, changes) =>
        few(async () => {
          const table = await world.makeTable('Rows', fields, records)
          const { id: tableId } = table
          await ask(tableId)
          expect(await indexOf(tableId)).toMatchObject({ state: 'ready' })
          for (const step of changes) {
            const { records: left } = await world.api.records.listRecords({ tableId })
            const id = 'at' in step ? left[step.at % Math.max(1, left.length)]?.id : undefined
            if (step.kind === 'create') {
              await world.api.records.createRecords({
                tableId,
                records: [{ fields: step.value }],
              } as never)
            } else if (step.kind === 'update' && id) {
              await world.api.records.updateRecords({
                tableId,
                records: [{ id, fields: step.value }],
              } as never)
            } else if (step.kind === 'delete' && id) {
              await world.api.records.deleteRecords({ tableId, recordIds: [id] } as never)
            } else if (step.kind === 'keep') await keep()
            else if (step.kind === 'choice') {
              const { id: fieldId, options } = await world.fieldOf(table, 'Level')
              const [other, choice] = (options as { choices: { id: string; name: string }[] })
                .choices
              const name = choice?.name === 'lower' ? 'slow' : 'lower'
              const renamed = [other, { ...choice, name }]
              await world.api.fields.convertField({
                tableId,
                fieldId,
                type: 'singleSelect',
                options: { choices: renamed },
              } as never)
            } else if (step.kind === 'format') {
              await world.convert(table, 'Number', {
                type: 'number',
                options: { formatting: { type: 'percent', precision: 1 } },
              } as never)
            }
          }
          expect(await answers(tableId)).toEqual(await plain(tableId))
        }),
    )
    await fc.assert(property, { numRuns: 5 })
  })
})
