import { anonymous } from '@gateleg/domain/access/actor'
import type { UseCaseName } from '@gateleg/domain/api'
import { statisticNames } from '@gateleg/domain/queries/statistics'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { shownSchema } from '@gateleg/domain/views/shown-schema'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { filterOf, groupOf, searchOf, sortOf } from '@gateleg/testing/arbitraries/record-query'
import { FixedClock } from '@gateleg/testing/doubles/fixed-clock'
import { PlainPasswordHasher } from '@gateleg/testing/doubles/plain-password-hasher'
import { SeededIds } from '@gateleg/testing/doubles/seeded-ids'
import { SeededRandom } from '@gateleg/testing/doubles/seeded-random'
import { SeededSecrets } from '@gateleg/testing/doubles/seeded-secrets'
import {
  describeOnEveryStorage,
  type TestEngine,
  type TestStorage,
} from '@gateleg/testing/test-engine'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** What differs between two workspaces of which a visitor must be told the same. */
interface Variant {
  /** What stands in fields that are not shown. */
  readonly secret: string
  /** What records hold that the view does not show, and how often they were written. */
  readonly elsewhere: string
  readonly more: number
}

interface Workspace {
  readonly engine: TestEngine
  readonly gridId: string
  /** A share whose view groups by fields that are not shown, too. */
  readonly groupedId: string
  readonly formId: string
  readonly schema: TableSchema
  readonly grid: TableSchema
  /** Records of the linked table, and some that are shown. */
  readonly otherIds: readonly string[]
  readonly recordIds: readonly string[]
}

/** Opens a workspace whose ids and times are those of every other one; what the variant says is not shown. */
async function openWorkspace(storage: TestStorage, variant: Variant): Promise<Workspace> {
  const clock = new FixedClock()
  const random = new SeededRandom()
  const ports = {
    ...{ clock, ids: new SeededIds(random), passwords: new PlainPasswordHasher() },
    secrets: new SeededSecrets(random, new NodeSecrets('the same for both of them')),
  }
  const engine = await storage.open(ports)
  let step = 0
  /** What a step makes doesn't depend on what was made before it. */
  const next = async <T>(call: () => Promise<T>): Promise<T> => {
    random.restart(step++)
    return call()
  }
  const { public: everybody } = engine
  const email = 'ada@example.com'
  const ada = await next(() => everybody.accounts.signUp({ email, password: 'correct horse 1' }))
  const api = engine.as({ userId: ada.id })
  const [space] = await api.spaces.listSpaces({})
  const base = await next(() => api.bases.createBase({ spaceId: space?.id ?? '' }))
  const other = await next(() =>
    api.tables.createTable({
      ...{ baseId: base.id, name: 'Other', fields: [{ type: 'singleLineText', name: 'Title' }] },
      records: ['One', 'Two', 'Three'].map((Title) => ({ fields: { Title } })),
    }),
  )
  const hidden = await next(() =>
    api.tables.createTable({
      ...{ baseId: base.id, name: variant.elsewhere, records: [] },
      fields: [{ type: 'singleLineText', name: `${variant.elsewhere} name` }],
    }),
  )
  const table = await next(() =>
    api.tables.createTable({
      ...{ baseId: base.id, name: 'Main', records: [] },
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Number' },
        {
          type: 'singleSelect',
          name: 'Level',
          options: {
            choices: [
              { name: 'a', id: 'choa' },
              { name: 'b', id: 'chob' },
            ],
          },
        },
        { type: 'date', name: 'Day' },
        { type: 'user', name: 'Who' },
        {
          type: 'link',
          name: 'Links',
          options: { relationship: 'manyMany', foreignTableId: other.id, isOneWay: true },
        },
        { type: 'singleLineText', name: 'Covert' },
        { type: 'number', name: 'Covert rank' },
        { type: 'date', name: 'Covert day' },
        {
          type: 'link',
          name: 'Covert links',
          options: { relationship: 'manyMany', foreignTableId: hidden.id },
        },
      ],
    }),
  )
  const tableId = table.id
  const idOf = (name: string) => table.fields.find((field) => field.name === name)?.id ?? ''
  const formula = {
    type: 'formula' as const,
    name: 'Twice',
    options: { expression: `{${idOf('Number')}} * 2` },
  }
  await next(() => api.fields.createField({ tableId, ...formula }))
  const kept = Array.from({ length: 12 }, (_, index) => index)
  const rowOf = (index: number) => ({
    Name: ['Ada', 'ada', 'Eve', null][index % 4],
    Number: index % 3 === 0 ? null : 1 + index,
    Level: [null, 'a', 'b'][index % 3],
    Day: index % 2 === 0 ? `2026-03-${10 + index}` : null,
    Who: index % 4 === 0 ? { id: ada.id } : null,
    Links: index % 2 === 0 ? [{ id: other.records[index % 3]?.id }] : null,
    Covert: `${variant.secret} ${index}`,
    'Covert day': `2026-03-${10 + ((index + variant.secret.length) % 12)}`,
    // The order is the same; what it comes from is not.
    'Covert rank': ((index * 7) % 12) + variant.secret.length * 100,
  })
  const left = { Name: variant.elsewhere, Level: 'b', Number: -5, Covert: variant.elsewhere }
  const recordIds: string[] = []
  for (const index of kept) {
    // Records that the view doesn't show stand in between, and are written more or less often.
    for (let count = 0; count < variant.more; count++) {
      clock.advance(1_000)
      const made = await api.records.createRecords({
        tableId,
        records: [{ fields: left }],
      } as never)
      if (count === 0) continue
      await api.records.deleteRecord({ tableId, recordId: made.records[0]?.id ?? '' })
    }
    const records = [{ fields: rowOf(index) }]
    const made = await next(() => api.records.createRecords({ tableId, records } as never))
    recordIds.push(...made.records.map(({ id }) => id))
    clock.advance(60_000)
    for (let count = 0; count < variant.more; count++) {
      const recordId = made.records[0]?.id ?? ''
      const record = { fields: { Covert: `${variant.secret} ${index} ${count}` } }
      await api.records.updateRecord({ tableId, recordId, record })
    }
  }
  const ids = ['Covert', 'Covert rank', 'Covert day', 'Covert links'].map(idOf)
  const isShown = { fieldId: idOf('Number'), operator: 'isNot' as const, value: -5 }
  const ofGrid = {
    ...{ tableId, type: 'grid' as const },
    filter: { conjunction: 'and' as const, filterSet: [isShown] },
    columnMeta: Object.fromEntries(
      ids.map((id, order) => [id, { hidden: true, order: order + variant.more }]),
    ),
    options: { frozenFieldId: ids[0] },
  }
  const by = (name: string) => ({ fieldId: idOf(name), order: 'desc' as const })
  const sort = { sortObjs: [by('Covert rank')] }
  const grid = await next(() => api.views.createView({ ...ofGrid, name: 'Grid', sort }))
  const group = [by('Covert rank'), by('Level'), by('Covert links')]
  const grouped = await next(() => api.views.createView({ ...ofGrid, name: 'Grouped', group }))
  const form = await next(() => api.views.createView({ tableId, type: 'form', name: 'Form' }))
  const columnMeta = ids.map((fieldId) => ({ fieldId, columnMeta: { visible: false } }))
  await api.views.setColumnMeta({ tableId, viewId: form.id, columnMeta })
  const shareOf = (viewId: string) => next(() => api.views.enableShare({ tableId, viewId }))
  const { shareId: gridId } = await shareOf(grid.id)
  const { shareId: formId } = await shareOf(form.id)
  const { shareId: groupedId } = await shareOf(grouped.id)
  for (const viewId of [grid.id, grouped.id]) {
    await next(() => api.views.setShareMeta({ tableId, viewId, allowCopy: true }))
  }
  clock.advance(86_400_000 - (clock.now() % 86_400_000))
  return engine.store.read(async (tx) => {
    const [found] = await tx.tables.findAll([tableId], 'none')
    const view = await tx.views.find(tableId, grid.id)
    if (!found || !view) throw new Error('the table and the view were made')
    const schema = await tx.fields.schemaOf(found)
    return {
      ...{
        engine,
        recordIds,
        gridId,
        groupedId,
        formId,
        schema,
        otherIds: other.records.map(({ id }) => id),
      },
      grid: shownSchema(schema, { view, includesHidden: false }),
    }
  })
}

/** What a visitor may ask: of fields that are not shown now and then, which are refused alike. */
function questionsOf({ recordIds, gridId, groupedId, formId, schema, grid, otherIds }: Workspace) {
  const values = {
    ...{ texts: ['Ada', 'e', 'x', 'another one 3'], numbers: [1, 5, -5, 107] },
    ...{ moments: ['2026-03-12', '2026-03-16'], userIds: [], recordIds: otherIds },
  }
  const keyOf = fc.constantFrom(...schema.fields.map(({ field }) => field.id), 'Covert', 'Nowhere')
  const mostly = <T>(shown: fc.Arbitrary<T>, any: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 5, arbitrary: shown }, { weight: 1, arbitrary: any })
  const datesOf = ({ fields }: TableSchema) =>
    fields.filter(({ rules }) => rules.form.item.kind === 'date').map(({ field }) => field.id)
  const dateOf = mostly(
    fc.constantFrom(...datesOf(grid)),
    fc.constantFrom(...datesOf(schema), 'Covert'),
  )
  // What is searched is in fields that aren't shown, too: in both workspaces, or in one of them.
  const shown = ['Ada', 'Eve', 'a', 'One', 'Three', '12.00', '2026-03-1', 'another one 3', 'x 3']
  return fc.record({
    shareId: fc.constantFrom(gridId, gridId, groupedId),
    formId: fc.constant(formId),
    key: keyOf,
    dates: fc.tuple(dateOf, dateOf),
    collapsed: fc.nat({ max: 3 }),
    ranges: fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 13 })),
    field: fc.dictionary(fc.constantFrom(...statisticNames), fc.array(keyOf, { maxLength: 2 }), {
      maxKeys: 2,
    }),
    list: fc.record(
      {
        filter: mostly(filterOf(grid, values), filterOf(schema, values)),
        orderBy: mostly(sortOf(grid), sortOf(schema)),
        groupBy: mostly(groupOf(grid), groupOf(schema)),
        search: mostly(searchOf(grid, shown), searchOf(schema, shown)),
        selectedRecordIds: fc.array(fc.constantFrom(...recordIds, 'recNowhere')),
        projection: fc.array(keyOf, { maxLength: 3 }),
        cellFormat: fc.constantFrom('json', 'text'),
        fieldKeyType: fc.constantFrom('id', 'name', 'dbFieldName'),
        viewId: fc.constantFrom('viw0', schema.tableId),
        take: fc.integer({ min: 1, max: 5 }),
        skip: fc.integer({ min: 0, max: 3 }),
      },
      { requiredKeys: ['take'] },
    ),
  })
}

type Question = ReturnType<typeof questionsOf> extends fc.Arbitrary<infer T> ? T : never

/** All that a visitor is told in a workspace, refusals included. */
async function tell({ engine }: Workspace, name: UseCaseName, input: object): Promise<object> {
  try {
    return { answer: await engine.call(name, anonymous, input) }
  } catch (error) {
    const { code, message, data } = error as { code: string; message: string; data: unknown }
    return { code, message, data }
  }
}

/** The ids of the groups that were told. */
function idsOf(groups: object): readonly string[] {
  const { answer = [] } = groups as { answer?: readonly { readonly id?: string }[] }
  return answer.flatMap(({ id }) => id ?? [])
}

/** What is told of a question, a walk through the whole of a list among it. */
async function tellAll(workspace: Workspace, question: Question): Promise<string> {
  const { shareId, formId, key, field, dates, collapsed, ranges, list } = question
  const { filter, search, selectedRecordIds, groupBy, orderBy } = list
  const asked = { ...(filter && { filter }), ...(search && { search }), selectedRecordIds }
  const counted = { shareId, fieldKeyType: 'id', ...asked }
  const grouped = { ...counted, ...(groupBy && { groupBy }) }
  const groups = await tell(workspace, 'shares.getSharedGroupPoints', grouped)
  const collapsedGroupIds = idsOf(groups).slice(collapsed, collapsed + 2)
  const without = { ...grouped, collapsedGroupIds }
  const ordered = { ...without, ...(orderBy && { orderBy }) }
  const [startDateFieldId, endDateFieldId] = dates
  const days = { startDate: '2026-03-01', endDate: '2026-03-20', startDateFieldId, endDateFieldId }
  const told: object[] = [
    groups,
    await tell(workspace, 'shares.getSharedGroupPoints', without),
    await tell(workspace, 'shares.countSharedRecords', counted),
    await tell(workspace, 'shares.countSharedHits', counted),
    await tell(workspace, 'shares.findSharedHits', { ...ordered, take: 5 }),
    await tell(workspace, 'shares.getSharedCalendarDays', { ...counted, ...days }),
    await tell(workspace, 'shares.aggregateSharedRecords', { ...grouped, field }),
    await tell(workspace, 'shares.copySharedCells', { ...ordered, type: 'rows', ranges: [[0, 1]] }),
    await tell(workspace, 'shares.copySharedCells', { ...ordered, ranges: [[0, 0], ranges] }),
    await tell(workspace, 'shares.copySharedCells', { shareId, type: 'columns', ranges: [[0, 2]] }),
    await tell(workspace, 'shares.listSharedRecords', { ...ordered, take: 20 }),
  ]
  for (const id of [formId, shareId]) {
    const named = { shareId: id, fieldId: key, ...(search && { search: search[0].slice(0, 1) }) }
    told.push(await tell(workspace, 'shares.listSharedLinkRecords', named))
    told.push(await tell(workspace, 'shares.listSharedCollaborators', named))
  }
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const input = { shareId, ...list, ...(cursor && { cursor, skip: 0 }) }
    const page = await tell(workspace, 'shares.listSharedRecords', input)
    told.push(page)
    cursor = (page as { answer?: { nextCursor: string | null } }).answer?.nextCursor ?? null
  }
  return JSON.stringify(told)
}

const questionsAsked = 150

describeOnEveryStorage('what a share tells', (storage) => {
  test('[SHARE-14] is always the same, whatever is not shown', { timeout: 300_000 }, async () => {
    const one = await openWorkspace(storage, { secret: 'x', elsewhere: 'Unseen', more: 0 })
    const { seed } = fc.readConfigureGlobal() ?? {}
    const questions = fc.sample(questionsOf(one), {
      numRuns: questionsAsked,
      ...(seed !== undefined && { seed }),
    })
    const opened = (workspace: Workspace) =>
      Promise.all(
        [one.gridId, one.groupedId, one.formId, one.gridId.replace(/.$/, 'x')].map((shareId) =>
          tell(workspace, 'shares.getSharedView', { shareId }),
        ),
      )
    const first = await opened(one)
    const told: string[] = []
    for (const question of questions) told.push(await tellAll(one, question))
    await one.engine.close()
    // A storage may keep things of all workspaces under their ids: there is one at a time.
    const other = await openWorkspace(storage, {
      secret: 'another one',
      elsewhere: 'Beyond',
      more: 2,
    })
    expect(JSON.stringify(await opened(other))).toBe(JSON.stringify(first))
    for (const [index, question] of questions.entries()) {
      const again = await tellAll(other, question)
      expect(again, JSON.stringify(question)).toBe(told[index])
    }
    await other.engine.close()
    // The questions were about something, and had answers.
    const whole = JSON.stringify(first)
    expect(whole).not.toMatch(/Covert|Unseen|Beyond|another one/)
    expect(new Set(whole.match(/"rec\w+"/g)).size).toBeGreaterThan(12)
    const answered = told.filter((text) => text.includes('"records":[{'))
    expect(answered.length).toBeGreaterThan(questionsAsked / 4)
    for (const what of [
      '"groupPoints":[{',
      '"searchHitIndex":[{',
      '"index":1',
      '"isCollapsed":true',
    ]) {
      expect(told.filter((text) => text.includes(what)).length, what).toBeGreaterThan(10)
    }
    const hits = told.filter((text) => /"countMap":\{"2026/.test(text))
    expect(hits.length).toBeGreaterThan(10)
    expect(told.filter((text) => text.includes('validation_error')).length).toBeGreaterThan(10)
  })
})
