import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Texts that would end a string, a name, a statement or a comment, if they ever stood in SQL as they are. */
const hostile = fc.oneof(
  fc.constantFrom(
    `'; drop table users; --`,
    `"; drop table users; --`,
    `" text); delete from records; --`,
    `x" = 'y' or "1"="1`,
    '`;`',
    '$1',
    '?',
    ':name',
    '%s',
    '\\',
    `\\'; select 1; --`,
    '/*',
    '*/',
    '--',
    `'||(select password_hash from users)||'`,
    '💥"\'`;',
    '"'.repeat(60),
  ),
  fc.string({
    unit: fc.constantFrom('"', "'", ';', '-', ' ', '`', '\\', '$', '1', '?', 'a', ')', '('),
    minLength: 1,
    maxLength: 60,
  }),
)
/** Texts that are sent in sets, and how many of them are sent at once. */
const textsInSets = 10_000
const textsAtOnce = 1_000

const hostileName = hostile.map((text) => `n${text}`)

function* inHundreds<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let first = 0; first < all.length; first += 100) yield all.slice(first, first + 100)
}

describeOnEveryStorage('texts that look like SQL', (storage) => {
  let world: World
  let ada: Person

  beforeAll(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
  })
  afterAll(() => world.close())

  test('[ACCESS-9] are always kept as they are, in names, choices, cells and keys', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(hostileName, {
          minLength: 3,
          maxLength: 3,
          selector: (name) => name.trim(),
        }),
        hostile,
        async ([tableName = '', fieldName = '', choice = ''], text) => {
          const { id: baseId } = await ada.api.bases.createBase({
            spaceId: ada.spaceId,
            name: tableName,
          })
          const table = await ada.api.tables.createTable({
            baseId,
            name: tableName,
            fields: [
              { type: 'longText', name: fieldName },
              { type: 'singleSelect', name: choice, options: { choices: [{ name: choice }] } },
              { type: 'singleLineText', name: 'Unique', unique: true },
            ],
            records: [{ fields: { [fieldName.trim()]: text, [choice.trim()]: choice.trim() } }],
          })
          const [record] = table.records
          const tableId = table.id
          const recordId = record?.id ?? ''
          const fields = { [fieldName.trim()]: text, Unique: text, [choice.trim()]: null }
          await ada.api.records.updateRecord({ tableId, recordId, record: { fields } })
          const [primary] = table.fields
          await ada.api.fields.updateField({
            tableId,
            fieldId: primary?.id ?? '',
            name: `${fieldName}!`,
          })
          const read = await ada.api.records.getRecord({ tableId, recordId })
          expect(table.name).toBe(tableName.trim())
          expect(read.fields[`${fieldName}!`.trim()]).toBe(text)
          expect((await ada.api.bases.verifyBase({ baseId })).problems).toEqual([])
        },
      ),
      { numRuns: 40 },
    )
    expect((await ada.api.accounts.getMe({})).id).toBe(ada.userId)
  })

  /** What a call with the text is answered: texts that mean nothing are refused, all others are taken as they are. */
  async function answerTo(call: () => Promise<unknown>, text: string): Promise<void> {
    const error = await call().then(
      () => undefined,
      (reason) => reason as { readonly code?: string },
    )
    const known = ['validation_error', 'not_found', 'view_not_found', 'restricted_resource']
    if (error) expect(known, `${text}: ${String(error)}`).toContain(error.code)
  }

  test('[ACCESS-9] always find what is there or are refused, in queries, shares, selections, exports and imports', async () => {
    const { api, spaceId } = ada
    const { id: baseId } = await api.bases.createBase({ spaceId })
    const { id: tableId } = await api.tables.createTable({
      ...{
        baseId,
        fields: [
          { type: 'singleLineText', name: 'Name' },
          { type: 'date', name: 'Day' },
        ],
      },
      records: [{ fields: { Name: 'x' } }],
    })
    const view = await api.views.createView({ tableId, type: 'grid' })
    const { shareId } = await api.views.enableShare({ tableId, viewId: view.id })
    await api.views.setShareMeta({ tableId, viewId: view.id, allowCopy: true })
    const { shares } = world.engine.public
    const rows = { type: 'rows' as const, ranges: [[0, 0]] as [number, number][] }
    const days = { startDate: '2026-01-01', endDate: '2026-01-02' }
    const counted = async (text: string) => {
      const search: [string] = [text]
      const ofTable = await api.aggregations.getSearchCount({ tableId, search })
      expect(ofTable).toEqual(await shares.countSharedHits({ shareId, search }))
      // Of a text that is searched nothing but itself is found.
      expect(ofTable.count).toBe(text.toLowerCase() === 'x' ? 1 : 0)
      const filterSet = [{ fieldId: 'Name', operator: 'contains' as const, value: text }]
      const filter = { conjunction: 'and' as const, filterSet }
      const { rowCount } = await api.aggregations.getRowCount({ tableId, filter })
      expect(rowCount).toBe('x'.includes(text.toLowerCase()) ? 1 : 0)
    }
    const exported = async (query: object) => {
      for await (const _ of await api.exports.exportTable({ tableId, ...query } as never)) break
    }
    const asked: readonly ((text: string) => Promise<unknown>)[] = [
      (text) => api.records.listRecords({ tableId, groupBy: [{ fieldId: text, order: 'asc' }] }),
      (text) => api.records.listRecords({ tableId, orderBy: [{ fieldId: text, order: 'asc' }] }),
      (text) => api.records.listRecords({ tableId, search: ['x', text, true] }),
      (text) => api.records.listRecords({ tableId, cursor: text }),
      (text) => api.records.listRecords({ tableId, viewId: text }),
      (text) => api.records.listRecords({ tableId, selectedRecordIds: [text] }),
      (text) => api.records.listRecords({ tableId, filterLinkCellSelected: [text, text] }),
      (text) => api.records.listRecords({ tableId, filterLinkCellCandidate: text }),
      (text) => {
        const collapsedGroupIds = [text]
        const groupBy = [{ fieldId: 'Name', order: 'asc' as const }]
        return api.aggregations.getGroupPoints({ tableId, groupBy, collapsedGroupIds })
      },
      (text) => api.aggregations.aggregateRecords({ tableId, field: { filled: [text] } }),
      (text) => {
        const fields = { startDateFieldId: text, endDateFieldId: 'Day' }
        return api.aggregations.getCalendarDays({ tableId, ...days, ...fields })
      },
      (text) => api.selections.copyCells({ tableId, ...rows, projection: [text] }),
      (text) => api.selections.copyCells({ tableId, ...rows, search: [text, '', true] }),
      (text) => exported({ projection: [text] }),
      (text) => exported({ search: [text, '', true] }),
      (text) => exported({ columnMeta: { [text]: { order: 1 } } }),
      (text) => api.fields.listFieldFilterRecords({ tableId, fieldId: text }),
      (text) => shares.getSharedView({ shareId: text }),
      (text) => shares.listSharedRecords({ shareId, search: [text, '', true], cursor: text }),
      (text) => shares.listSharedRecords({ shareId, search: ['x', text] }),
      (text) => shares.getSharedGroupPoints({ shareId, collapsedGroupIds: [text] }),
      (text) => shares.copySharedCells({ shareId, ...rows, projection: [text] }),
      (text) => shares.findSharedHits({ shareId, search: [text], selectedRecordIds: [text] }),
      (text) => shares.listSharedLinkRecords({ shareId, fieldId: text, search: text }),
      (text) => shares.listSharedCollaborators({ shareId, fieldId: text, search: text }),
      (text) => shares.proveSharePassword({ shareId: text, password: text }),
      (text) => api.imports.getImport({ baseId, importId: text }),
      (text) => {
        const content = `${text}\nx\n`
        return api.imports.importRecords({ baseId, tableId, content } as never)
      },
    ]
    await fc.assert(
      fc.asyncProperty(hostile, fc.nat({ max: asked.length - 1 }), async (text, place) => {
        await counted(text)
        // Each text for some of the members, so that all have many.
        for (let more = 0; more < 7; more++) {
          const ask = asked[(place + more * 4) % asked.length]
          if (ask) await answerTo(() => ask(text), text)
        }
      }),
      { numRuns: 400 },
    )
    expect((await api.bases.verifyBase({ baseId })).problems).toEqual([])
  }, 240_000)

  test('[ACCESS-9] are always kept and found as they are, thousands at a time, in cells, choices, filters and files', async () => {
    const { api, spaceId } = ada
    const { id: baseId } = await api.bases.createBase({ spaceId })
    const fields = [
      { type: 'longText' as const, name: 'Text' },
      { type: 'multipleSelect' as const, name: 'Choices' },
    ]
    const lists = fc.array(hostile, { minLength: textsAtOnce, maxLength: textsAtOnce })
    await fc.assert(
      fc.asyncProperty(lists, async (texts) => {
        const { id: tableId } = await api.tables.createTable({ baseId, fields, records: [] })
        const choices = [...new Set(texts.map((text) => text.trim()).filter(Boolean))].slice(0, 500)
        const Choices = { Choices: choices }
        const records = texts.map((Text, index) => ({
          fields: { Text, ...(index === 0 && Choices) },
        }))
        const made = await api.records.createRecords({ tableId, typecast: true, records })
        expect(made.records.map(({ fields }) => fields.Text)).toEqual(texts)
        expect(made.records[0]?.fields.Choices).toEqual(choices)
        for (const wanted of inHundreds([...new Set(texts)])) {
          const filterSet = wanted.map((value) => {
            return { fieldId: 'Text', operator: 'is' as const, value }
          })
          const filter = { conjunction: 'or' as const, filterSet }
          const { rowCount } = await api.aggregations.getRowCount({ tableId, filter })
          const among = new Set(wanted)
          expect(rowCount).toBe(texts.filter((text) => among.has(text)).length)
        }
        const lines = texts.map((text) => `"${text.replaceAll('"', '""')}"`)
        const content = `Text\n${lines.join('\n')}\n`
        await api.imports.importRecords({ baseId, tableId, content } as never)
        const listed = await api.records.listRecords({ tableId, take: 2_000, skip: textsAtOnce })
        expect(listed.records.map(({ fields }) => fields.Text)).toEqual(texts)
        await api.tables.deleteTablePermanently({ baseId, tableId })
      }),
      { numRuns: textsInSets / textsAtOnce },
    )
    expect((await api.bases.verifyBase({ baseId })).problems).toEqual([])
  }, 240_000)

  test('[ACCESS-9] name no column and no table', async () => {
    const { id: baseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const { id: tableId } = await ada.api.tables.createTable({ baseId })
    const refusal = { code: 'validation_error' }
    for (const dbFieldName of [
      'a"b',
      "a'b",
      'a;b',
      'a b',
      'a-b',
      'é',
      '',
      '__id',
      'x'.repeat(64),
    ]) {
      const field = { tableId, type: 'number', dbFieldName } as const
      await expect(ada.api.fields.createField(field)).rejects.toMatchObject(refusal)
    }
    for (const dbTableName of ['a"b', "a'b", 'a;b', 'a b', '1a', 'é', '', 'x'.repeat(64)]) {
      const table = { baseId, dbTableName } as const
      await expect(ada.api.tables.createTable(table)).rejects.toMatchObject(refusal)
    }
  })

  test('[ACCESS-9] are no ids', async () => {
    for (const text of [`' or '1'='1`, `x" or 1=1 --`, '%', '_']) {
      const refusal = { code: 'not_found' }
      await expect(ada.api.spaces.getSpace({ spaceId: text })).rejects.toMatchObject(refusal)
      await expect(ada.api.bases.getBase({ baseId: text })).rejects.toMatchObject(refusal)
      await expect(ada.api.fields.listFields({ tableId: text })).rejects.toMatchObject(refusal)
    }
  })
})
