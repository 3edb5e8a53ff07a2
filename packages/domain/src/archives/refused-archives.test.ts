import {
  archivedRecords,
  archivedTable,
  archiveHead,
  archiveOf,
} from '@gateleg/testing/operations/archives'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { dropUnfinishedKind } from '../bases/unfinished-base.ts'
import { toTimestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'

const [, table, field, view] = archivedTable as [
  object,
  { table: Record<string, unknown> },
  { field: Record<string, unknown> },
  { view: Record<string, unknown> },
]
const [head, record] = archivedRecords as [object, readonly unknown[]]
const id = (prefix: string, number: number) => `${prefix}${String(number).padStart(16, '0')}`

/** The archive with another table, or field, or view in the place of the one that is right. */
const withTable = (more: object) => [
  archiveHead,
  { table: { ...table.table, ...more } },
  field,
  view,
]
const withField = (more: object) => [
  archiveHead,
  table,
  { field: { ...field.field, ...more } },
  view,
]
const withView = (more: object) => [archiveHead, table, field, { view: { ...view.view, ...more } }]
const anotherField = (more: object) => [
  ...archivedTable,
  {
    field: {
      ...{ ...field.field, id: id('fld', 2), name: 'Other', dbFieldName: 'Other' },
      ...{ columnName: 'Other', isPrimary: false, ...more },
    },
  },
]
const withRecord = (change: (record: unknown[]) => void) => {
  const changed = [...record]
  change(changed)
  return [...archivedTable, head, changed]
}
const linkTo = (more: object) => ({
  type: 'link',
  options: { relationship: 'manyMany', foreignTableId: id('tbl', 1), ...more },
})
const withLinks = (...lists: readonly unknown[][]) => [
  ...archivedTable,
  anotherField(linkTo({ isOneWay: true })).at(-1),
  head,
  record,
  { links: { field: id('fld', 2) } },
  ...lists,
]
const withHistory = (type: unknown, held: unknown) => [
  ...archivedTable,
  head,
  record,
  { history: { table: id('tbl', 1) } },
  [
    ...[record[0], record[1], '2026-01-01T00:00:00.000Z', 2, 'usr1'],
    {
      ...{ fieldId: id('fld', 1), name: 'Title', type, cellValueType: 'string' },
      ...{ before: held, after: null },
    },
  ],
]
const nodeIdAt = (place: number) => (place === 0 ? id('wtr', 1) : id('wno', place))
const withNodes = (more: object, others: readonly object[] = []) => [
  archiveHead,
  {
    workflow: {
      ...{ id: id('wfl', 1), name: 'Flow', folder: null, description: null },
      ...{ createdBy: 'usr1', createdTime: '2026-01-01T00:00:00.000Z' },
      nodes: [
        {
          ...{ id: id('wtr', 1), category: 'trigger', type: 'recordCreated', name: null },
          ...{ description: null, config: {}, parentNodeId: null, ...more },
        },
        ...others,
      ],
    },
  },
]
/** A workflow whose trigger is followed by these, each behind the one that it names by its place. */
const withFlow = (...more: readonly (readonly [type: string, behind: number, config?: object])[]) =>
  withNodes({}, [
    ...more.map(([type, behind, config = {}], index) => ({
      ...{ id: nodeIdAt(index + 1), type, config, name: null, description: null },
      category: { condition: 'logic', Repeat: 'logic', script: 'action' }[type] ?? 'control',
      parentNodeId: nodeIdAt(behind),
    })),
  ])
const branched = (...at: number[]) => ({ branches: at.map((place) => ({ id: nodeIdAt(place) })) })
const repetitions = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    ['Repeat', index * 2 === 0 ? 0 : index * 2 - 1, { items: 'x' }] as const,
    ['repeatEnd', index * 2 + 1] as const,
  ]).flat()
const deep = `${'['.repeat(40)}${']'.repeat(40)}`

const forged: readonly (readonly [about: string, lines: readonly unknown[], says: string])[] = [
  ['another kind of line', [archiveHead, { secret: 1 }], 'an object with one of these alone'],
  ['two kinds in a line', [archiveHead, { ...table, ...field }], 'with one of these alone'],
  ['a member that is not known', withTable({ evil: 1 }), 'must not have the member "evil"'],
  ['an id of another form', withTable({ id: '../../etc' }), 'must be "tbl" followed by'],
  ['a thing that is there twice', [...archivedTable, table], 'is there twice'],
  ['a physical name with a quote', withTable({ dbTableName: 'a"; drop' }), 'letters, digits'],
  [
    'a physical name of an index',
    withTable({ dbTableName: `${id('fld', 1)}_unique` }),
    'as names of indexes do',
  ],
  ['a folder that is not there', withTable({ folder: id('bnf', 9) }), 'that is not there'],
  ['a table without fields', [archiveHead, table, view], 'must have one primary field'],
  [
    'a table of too many views',
    [
      ...archivedTable,
      ...Array.from({ length: limits.viewsPerTable }, (_, index) => ({
        view: { ...view.view, id: id('viw', index + 2) },
      })),
    ],
    'has more views than',
  ],
  ['a field of no table', withField({ table: id('tbl', 9) }), 'of a table that is not there'],
  ['a type that is none', withField({ type: 'code' }), 'must be one of'],
  ['options that the type has not', withField({ options: { run: 1 } }), 'must not have the member'],
  ['a column of the product', withField({ columnName: '__id' }), 'without "__" before it'],
  [
    'a column that a change of a field makes',
    withField({ columnName: '__old_1' }),
    'physical column without "__"',
  ],
  ['a column name of the product', withField({ dbFieldName: '__id' }), '"__" before it'],
  ['a column where there is none', anotherField({ type: 'autoNumber' }), 'no physical column'],
  ['no column where there is one', withField({ columnName: null }), 'must have a physical column'],
  ['a name that no object keeps', anotherField({ name: '__proto__' }), 'must not be "__proto__"'],
  ['a primary field that can be none', withField({ type: 'attachment' }), 'the primary field'],
  ['a unique field that can be none', anotherField({ type: 'rating', unique: true }), 'unique'],
  ['a name that is taken', anotherField({ name: 'Title' }), 'is there twice among the fields'],
  [
    'a link to a table elsewhere',
    anotherField(linkTo({ foreignTableId: id('tbl', 9) })),
    'reads a table that is not in the archive',
  ],
  [
    'a link whose other end is another field',
    anotherField(linkTo({ symmetricFieldId: id('fld', 1) })),
    'must name each other',
  ],
  ['a workflow without a trigger', withNodes({ parentNodeId: 'x' }), 'must begin with its trigger'],
  ['a trigger of a type there is not', withNodes({ type: 'toString' }), 'a type there is not'],
  ['a trigger that takes something else', withNodes({ config: { evil: 1 } }), 'evil'],
  ['more nodes than', withNodes({}, Array(limits.nodesPerWorkflow).fill({})), 'at most'],
  ['a node by an id of another form', withNodes({ id: 'x.*' }), 'three lower-case letters'],
  ['two nodes behind one', withFlow(['script', 0], ['script', 0]), 'must have at most 1 nodes'],
  [
    'a node behind a condition',
    withFlow(
      ['condition', 0, branched(2)],
      ['conditionBranch', 1],
      ['conditionEnd', 1],
      ['script', 1],
    ),
    'must have at most 0 nodes',
  ],
  ['a control behind no logic', withFlow(['conditionEnd', 0]), 'controls behind logic alone'],
  [
    'two ends of a condition',
    withFlow(
      ['condition', 0, branched(2)],
      ['conditionBranch', 1],
      ['conditionEnd', 1],
      ['conditionEnd', 1],
    ),
    'a control for each branch',
  ],
  [
    'a branch without its control',
    withFlow(['condition', 0, branched(2, 9)], ['conditionBranch', 1], ['conditionEnd', 1]),
    'a control for each branch',
  ],
  ['a repetition without its end', withFlow(['Repeat', 0, { items: 'x' }]), 'and then its end'],
  ['a flow that is too deep', withFlow(...repetitions(limits.flowDepth + 1)), 'levels deep'],
  ['settings of another kind of view', withView({ options: { stackFieldId: 'x' } }), 'options'],
  ['columns as no view keeps them', withView({ columnMeta: { x: { width: -1 } } }), 'columnMeta'],
  ['a record before its table', [archiveHead, head, record], 'is not in the archive'],
  ['a list without what it is of', [...archivedTable, record], 'must not stand here'],
  ['settings after records', [...archivedTable, head, record, field], 'must not stand here'],
  ['an id of a record', withRecord((one) => one.splice(0, 1, 'x')), 'must begin with its id'],
  ['a number', withRecord((one) => one.splice(1, 1, 0)), 'must be greater than that before: 0'],
  [
    'a number beyond all',
    withRecord((one) => one.splice(1, 1, 2 ** 31)),
    'must be at most 2147483647',
  ],
  ['a time', withRecord((one) => one.splice(2, 1, '1 Jan')), 'times must be moments'],
  ['a maker', withRecord((one) => one.splice(4, 1, 5)), 'who made it'],
  ['a cell', withRecord((one) => one.splice(6, 1, 5)), '"Title" must be'],
  ['too many cells', withRecord((one) => one.push('more')), 'must have 1 cells'],
  [
    'a record of a greater size',
    withRecord((one) => one.splice(6, 1, 'x'.repeat(300_000))),
    'bytes',
  ],
  ['a record that is there twice', [...archivedTable, head, record, record], 'greater than'],
  [
    'ids of records that are there twice',
    [...archivedTable, head, record, [record[0], 8, ...record.slice(2)]],
    '',
  ],
  [
    'a field of cells that is none',
    [...archivedTable, { records: { table: id('tbl', 1), fields: [id('fld', 9)] } }],
    'that people fill in',
  ],
  ['links to what no id is', withLinks([record[0], '\0']), 'a list of ids'],
  ['links of what no id is', withLinks(['rec\0', record[0]]), 'a list of ids'],
  ...[
    ['singleLineText', { id: 'x', title: 'y' }],
    ['singleLineText', [1]],
    ['number', 'x'],
    ['checkbox', 1],
    ['link', 'x'],
    ['link', { id: { id: 1 } }],
    ['link', JSON.parse('{"id":"x","__proto__":"y"}')],
    ['formula', [['x']]],
    ['longText', '\0'],
  ].map(
    ([type, held]) =>
      [
        `a history in which ${type} held ${JSON.stringify(held)}`,
        withHistory(type, held),
        '',
      ] as const,
  ),
  ['links of no link', [...archivedTable, { links: { field: id('fld', 1) } }], 'is no link'],
  ['an order of no view', [...archivedTable, { order: { view: id('viw', 9) } }], 'is no view'],
  [
    'a record that stands in an order twice',
    [...archivedTable, head, record, { order: { view: id('viw', 1) } }, [7], [7]],
    'stands in the order twice',
  ],
  ['bytes of no file', [...archivedTable, 'AAAA'], 'must not stand here'],
  [
    'a file of another size',
    [...archivedTable, { file: { token: 't', name: 'n', mimetype: '', size: 9 } }, 'AAAA'],
    'must have 9 bytes',
  ],
  [
    'bytes in another writing',
    [...archivedTable, { file: { token: 't', name: 'n', mimetype: '', size: 3 } }, '*'],
    'must be Base64',
  ],
]

describeOnEveryStorage('archives that are refused', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let spaceId: string

  beforeAll(async () => {
    spaceId = (await world.api.bases.getBase({ baseId: world.baseId })).spaceId
  })

  const importing = (content: string | AsyncIterable<Uint8Array>, into = spaceId) =>
    world.api.archives.importBase({ spaceId: into, content })
  const bases = async () => (await world.api.bases.listBases({ spaceId })).length

  const expectRefused = async (content: string, says: string, code = 'validation_error') => {
    const refusal = await importing(content).then(
      () => undefined,
      (error: unknown) => error as { code?: string; message: string },
    )
    expect([refusal?.code, refusal?.message]).toEqual([code, expect.stringContaining(says)])
    expect(await bases()).toBe(1)
  }

  test('[ARCHIVE-1] [ARCHIVE-10] one that is right is taken', async () => {
    const made = await importing(archiveOf([...archivedTable, ...archivedRecords]))
    const [found] = await world.api.tables.listTables({ baseId: made.id })
    const { records } = await world.api.records.listRecords({ tableId: found?.id ?? '' })
    expect(records).toMatchObject([{ autoNumber: 7, fields: { Title: 'Emma' } }])
    await world.api.bases.deleteBasePermanently({ baseId: made.id })
  })

  test('[ARCHIVE-10] a flow as deep as one may be is taken', async () => {
    const flow = withFlow(
      ...repetitions(limits.flowDepth),
      [...(['condition', 2, branched(22, 23)] as const)],
      ...['conditionBranch', 'conditionBranch', 'conditionEnd'].map((type) => [type, 21] as const),
    )
    const { id: baseId } = await importing(archiveOf(flow))
    const [made] = await world.api.workflows.listWorkflows({ baseId })
    expect(made?.nodes).toHaveLength(1 + 2 * limits.flowDepth + 4)
    await world.api.bases.deleteBasePermanently({ baseId })
  })

  describe('[ARCHIVE-10] for what no caller could have made', () => {
    test.each(forged)('%s', async (_, lines, says) => {
      await expectRefused(archiveOf(lines), says)
    })
  })

  const whole = archiveOf([...archivedTable, ...archivedRecords])

  describe('[ARCHIVE-9] for not being whole', () => {
    test.each([
      ['none at all', '', 'is empty, and must be the archive of a base'],
      [
        'a CSV file',
        'Title\nEmma\n',
        'line 1: must be JSON, as the archive of a base is: this is no archive',
      ],
      ['another JSON', '{"a":1}\n', 'must begin as'],
      ['a newer one', whole.replace('"version":1', '"version":6'), 'written by a newer server'],
      ['one of no version', whole.replace('"version":1', '"version":-1'), 'must begin as'],
      [
        'one that was cut in a line',
        whole.slice(0, -20),
        'if it is the last line, the archive was cut there',
      ],
      ['one that was cut between lines', whole.split('\n').slice(0, 3).join('\n'), 'was cut'],
      ['one whose cell was changed', whole.replace('Emma', 'Anna'), 'was changed'],
      ['one with a line less', whole.replace(/\["rec.*\n/, ''), 'was changed'],
      ['one with more behind it', `${whole}{}\n`, 'nothing may follow the end'],
      ['one that is too deep', `{"gateleg":${deep}}\n`, 'must have 32 levels at most'],
      ['no UTF-8', `${whole.slice(0, 10)}\ud800`, 'must be JSON'],
    ])('%s', async (_, content, says) => {
      await expectRefused(content, says)
    })

    test('bytes that are no text', async () => {
      async function* content() {
        yield new Uint8Array([0x7b, 0xff, 0x0a])
      }
      await expect(importing(content())).rejects.toThrow(
        'line 1: must be UTF-8, as the archive of a base is: this is no archive',
      )
    })

    test('one that is longer than an archive, or has a line that is', async () => {
      await withLimits({ archiveBytes: 100 }, () =>
        expectRefused(whole, '100 bytes at most', 'payload_too_large'),
      )
      await withLimits({ archiveLineBytes: 100 }, () => expectRefused(whole, '100 bytes at most'))
    })
  })

  test('[ARCHIVE-8] leaves nothing where its caller goes away, and nobody sees any of it before', async () => {
    const seen: number[] = []
    async function* content() {
      const text = whole.slice(0, whole.indexOf('{"end"'))
      yield new TextEncoder().encode(text)
      seen.push(await bases(), (await world.api.bases.listAllBases()).length)
      throw new Error('gone')
    }
    await expect(importing(content())).rejects.toThrow('gone')
    expect(seen).toEqual([1, 1])
    expect(await bases()).toBe(1)
  })

  test('[ARCHIVE-8] is held for as long as it is made', async () => {
    // What other tests have left is taken away.
    world.clock.advance(120_000)
    await world.finishJobs()
    const half = whole.indexOf('{"records"')
    async function* content() {
      yield new TextEncoder().encode(whole.slice(0, half))
      for (let round = 0; round < 3; round++) {
        world.clock.advance(100_000)
        await vi.advanceTimersByTimeAsync(30_000)
        // It is held anew.
        await expect.poll(() => isGivenUpBy(world.clock.now() + 100_000)).toBe(false)
        await world.finishJobs()
      }
      yield new TextEncoder().encode(whole.slice(half))
    }
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const made = await importing(content()).finally(() => vi.useRealTimers())
    expect(await bases()).toBe(2)
    await world.api.bases.deleteBasePermanently({ baseId: made.id })
  })

  /** Whether a base that is being made is given up by then. */
  const isGivenUpBy = (ms: number) => {
    const [now, farthest] = [toTimestamp(ms), '9999']
    const among = { kinds: [dropUnfinishedKind], areMeant: true }
    let isDue = false
    const look = async ({ jobs }: WriteTx) => {
      isDue =
        (await jobs.claim({ now, farthest, leaseUntil: now, claim: 'look', among })) !== undefined
      throw new Error('looked')
    }
    return world.engine.store.write(look).catch(() => isDue)
  }

  test('[ARCHIVE-8] is removed later where the process ended meanwhile', async () => {
    const { engine, clock } = world
    const started = Promise.withResolvers<void>()
    async function* content() {
      yield new TextEncoder().encode(whole.slice(0, whole.indexOf('{"end"')))
      started.resolve()
      await new Promise(() => {})
    }
    void importing(content())
    await started.promise
    const hasJob = () => engine.store.write((tx) => tx.jobs.hasKind(dropUnfinishedKind))
    expect(await hasJob()).toBe(true)
    clock.advance(2 * 60_000)
    await world.finishJobs()
    expect(await hasJob()).toBe(false)
    expect(await bases()).toBe(1)
  })

  test('[ARCHIVE-10] fields that would follow from themselves have an error', async () => {
    const circle = [2, 3].map((number) => ({
      field: {
        ...{ ...field.field, id: id('fld', number), name: `F${number}`, isPrimary: false },
        ...{ dbFieldName: `F${number}`, columnName: `F${number}`, type: 'formula' },
        options: { expression: `{${id('fld', number === 2 ? 3 : 2)}} + 1` },
      },
    }))
    const made = await importing(archiveOf([...archivedTable, ...circle, ...archivedRecords]))
    const [found] = await world.api.tables.listTables({ baseId: made.id })
    const fields = await world.api.fields.listFields({ tableId: found?.id ?? '' })
    expect(fields.map(({ hasError = false }) => hasError)).toContain(true)
    expect(await world.cellsOf({ id: found?.id ?? '' }, 'F2')).toEqual([null])
    await world.api.bases.deleteBasePermanently({ baseId: made.id })
  })

  test('[ARCHIVE-12] for whoever may not export, or import', async () => {
    const bob = await world.newPerson('Bob')
    const { baseId, api } = world
    const content = archiveOf([archiveHead])
    const refusals = async () =>
      Promise.all(
        [
          bob.api.archives.exportBase({ baseId }),
          bob.api.archives.importBase({ spaceId, content }),
        ].map((call) =>
          call.then(
            () => 'done',
            ({ code }) => code,
          ),
        ),
      )
    expect(await refusals()).toEqual(['not_found', 'not_found'])
    const person = { principalId: bob.userId, principalType: 'user' } as const
    await api.collaborators.addSpaceCollaborators({
      ...{ spaceId, collaborators: [person], role: 'editor' },
    })
    expect(await refusals()).toEqual(['restricted_resource', 'restricted_resource'])
    await api.collaborators.changeSpaceCollaborator({ spaceId, ...person, role: 'creator' })
    const [exporting] = await refusals()
    expect(exporting).toBe('restricted_resource')
    const made = (await api.bases.listBases({ spaceId })).at(-1)
    await api.bases.deleteBasePermanently({ baseId: made?.id ?? '' })
    await api.collaborators.removeSpaceCollaborator({ spaceId, ...person })
  })

  test('[ARCHIVE-13] ends without its end where fields are changed, or the right is gone', async () => {
    const { api, baseId } = world
    const books = await world.makeNames('Books', 'One')
    const stream = await api.archives.exportBase({ baseId })
    let text = ''
    const reading = async () => {
      for await (const part of stream) {
        if (text === '') await world.addField(books, { type: 'number', name: 'More' })
        text += part
        if (!text.includes('More')) continue
        await world.addField(books, { type: 'number', name: 'Most' })
      }
    }
    await expect(reading()).rejects.toMatchObject({ code: 'conflict' })
    expect(text).not.toContain('"end"')
    // What keeps indexes of a table changes nothing of what is written.
    const keeping = await api.archives.exportBase({ baseId })
    for await (const _ of keeping) {
      await world.engine.store.write((tx) => tx.tables.renewSchema(books.id, `${Math.random()}`))
    }
    const other = await api.archives.exportBase({ baseId })
    const leaving = async () => {
      for await (const _ of other) await api.bases.deleteBase({ baseId }).catch(() => undefined)
    }
    await expect(leaving()).rejects.toMatchObject({ code: 'not_found' })
  })
})
