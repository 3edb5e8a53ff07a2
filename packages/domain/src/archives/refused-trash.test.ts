import { listTrashOf } from '@gateleg/testing/observations/trash-of-base'
import { archivedRecords, archivedTable, archiveOf } from '@gateleg/testing/operations/archives'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, describe, expect, test } from 'vitest'
import { linkPlace } from '../fields/types/link.ts'

const id = (prefix: string, number: number) => `${prefix}${String(number).padStart(16, '0')}`
const time = '2026-01-02T00:00:00.000Z'

const [head, table, field, view] = archivedTable as unknown as readonly [
  object,
  { table: Record<string, unknown> },
  { field: Record<string, unknown> },
  { view: Record<string, unknown> },
]
const [, record] = archivedRecords as [object, readonly unknown[]]

/** What deleted something: by its number, its kind, and what it names. */
const entry = (number: number, type: string, ids: readonly string[], more: object = {}) => ({
  trash: { id: id('opr', number), type, ids, deletedTime: time, deletedBy: 'usr1', ...more },
})
const inTable = { table: id('tbl', 1) }
const deleted = (number: number) => ({ deletion: id('opr', number) })
const fieldOf = (number: number, more: object = {}) => ({
  field: {
    ...{ ...field.field, id: id('fld', number), name: `F${number}`, isPrimary: false },
    ...{ dbFieldName: `F${number}`, columnName: `F${number}`, ...more },
  },
})
const viewOf = (number: number, more: object = {}) => ({
  view: { ...view.view, id: id('viw', number), name: `V${number}`, ...more },
})
const dashboard = (more: object = {}) => ({
  dashboard: {
    ...{ id: id('dsh', 1), name: 'Sums', folder: null, createdBy: 'usr1', createdTime: time },
    ...more,
  },
})
/** Another table, in the trash, which has its own field, view and what is said besides. */
const tableInTrash = (more: object = {}) => [
  { table: { ...table.table, id: id('tbl', 2), name: 'Away', dbTableName: 'Away', ...deleted(1) } },
  { field: { ...field.field, id: id('fld', 8), table: id('tbl', 2), ...more } },
  { view: { ...view.view, id: id('viw', 8), table: id('tbl', 2) } },
]
const linkTo = (number: number, other: number) => ({
  type: 'link',
  options: {
    ...{ relationship: 'manyMany', foreignTableId: id('tbl', 1), isOneWay: false },
    symmetricFieldId: id('fld', other),
    ...linkPlace({
      ...{ baseId: id('bse', 1), ownerFieldId: id('fld', Math.min(number, other)) },
      isOwner: number < other,
    }),
  },
})

const archiveWith = (...lines: readonly unknown[]) =>
  archiveOf([{ ...head, version: 4 }, table, field, view, ...lines])

const recordsOf = (...fieldIds: readonly string[]) => ({
  records: { table: id('tbl', 1), fields: [id('fld', 1), ...fieldIds] },
})
const deletedField = [entry(1, 'field', [id('fld', 2)], inTable), fieldOf(2, deleted(1))]
const cells = { cells: { field: id('fld', 2) } }
const ofRecord = entry(1, 'record', [id('rec', 1)], inTable)
const formula = { type: 'formula', options: { expression: '"a"' } }

/** What is wrong with the trash of an archive, the lines that say it, and what is said of that. */
const forged: readonly (readonly [about: string, lines: readonly unknown[], says: string])[] = [
  ['a thing in no entry', [dashboard(deleted(1))], 'in no entry of it'],
  ['a thing in an entry of others', [...deletedField, viewOf(2, deleted(1))], 'in no entry of it'],
  [
    'a field that its entry does not name',
    [...deletedField, fieldOf(3, deleted(1))],
    'in no entry of it',
  ],
  [
    'an entry that names what lives',
    [entry(1, 'field', [id('fld', 2)], inTable), fieldOf(2)],
    `names "${id('fld', 2)}", which isn't there so`,
  ],
  ['an entry that names nothing', [entry(1, 'table', [id('tbl', 9)])], "which isn't there so"],
  [
    'an entry of another kind',
    [entry(1, 'workflow', [id('dsh', 1)]), dashboard(deleted(1))],
    "which isn't there so",
  ],
  [
    'an entry of another table',
    [entry(1, 'field', [id('fld', 2)], { table: id('tbl', 9) }), fieldOf(2, deleted(1))],
    "which isn't there so",
  ],
  [
    'an entry of fields without their table',
    [entry(1, 'field', [id('fld', 2)]), fieldOf(2, deleted(1))],
    'must name a table where it is of views or fields',
  ],
  [
    'an entry of a dashboard with a table',
    [entry(1, 'dashboard', [id('dsh', 1)], inTable), dashboard(deleted(1))],
    'must name a table where it is of views or fields',
  ],
  [
    'an entry of two views',
    [entry(1, 'view', [id('viw', 2), id('viw', 3)], inTable)],
    'must name one thing, or fields, each once',
  ],
  [
    'an entry that names a field twice',
    [entry(1, 'field', [id('fld', 2), id('fld', 2)], inTable), fieldOf(2, deleted(1))],
    'must name one thing, or fields, each once',
  ],
  ['an entry of a whole base', [entry(1, 'base', [id('bse', 1)])], 'must be one of'],
  [
    'an entry without its type',
    [entry(1, 'field', [id('fld', 2)], { ...inTable, type: undefined })],
    'must have an id and a type',
  ],
  ['an entry without an id', [entry(1, 'table', ['x'], { id: undefined })], 'must have an id'],
  ['an id of another form', [entry(1, 'table', ['x'], { id: "o'; --" })], 'must be "opr" followed'],
  ['an entry twice', [...deletedField, deletedField[0]], 'is there twice'],
  [
    'a primary field',
    [entry(1, 'field', [id('fld', 2)], inTable), fieldOf(2, { ...deleted(1), isPrimary: true })],
    "is a primary field: it can't be deleted",
  ],
  [
    'a table without its primary field',
    [entry(1, 'table', [id('tbl', 2)]), ...tableInTrash({ isPrimary: false })],
    'must have one primary field',
  ],
  [
    'a physical column that a living field has',
    [deletedField[0], fieldOf(2, { ...deleted(1), columnName: 'Title' })],
    'is there twice among the physical columns',
  ],
  [
    'a link whose other end lives',
    [
      entry(1, 'field', [id('fld', 2)], inTable),
      fieldOf(2, { ...linkTo(2, 3), ...deleted(1) }),
      fieldOf(3, linkTo(3, 2)),
    ],
    'must be deleted along with the field at the other end',
  ],
  [
    'a field whose values are others than its own',
    [
      deletedField[0],
      fieldOf(2, { ...deleted(1), result: { cellValueType: 'number', isMultiple: false } }),
    ],
    'has no values as its result says',
  ],
  [
    'records of an entry of fields',
    [recordsOf(), entry(1, 'field', [id('fld', 2)], inTable)],
    'must stand before them',
  ],
  ['records that an entry does not name', [ofRecord, recordsOf(), [0, ...recordAt(2)]], 'name it'],
  [
    'a record that its entry names twice',
    [entry(1, 'record', [id('rec', 1), id('rec', 1)], inTable)],
    'names a record twice',
  ],
  ['an entry of records twice', [ofRecord, ofRecord], 'is there twice'],
  [
    'an entry of records with the id of another',
    [...deletedField, recordsOf(), ofRecord],
    'is there twice',
  ],
  ['cells of a field that lives', [fieldOf(2), recordsOf(), cells], 'is no deleted field'],
  [
    'cells that are worked out',
    [deletedField[0], fieldOf(2, { ...formula, ...deleted(1) }), recordsOf(), cells],
    'has no cells of its own',
  ],
  ['cells of no record', [...deletedField, recordsOf(), cells, [1, 'x']], 'a record that came'],
  [
    'cells of a record twice',
    [...deletedField, recordsOf(), record, cells, [7, 'x'], [7, 'y']],
    'a record that came',
  ],
  [
    'cells of another type',
    [...deletedField, recordsOf(), record, cells, [7, { a: 1 }]],
    '"F2" must be',
  ],
  ['two cells of a record', [...deletedField, recordsOf(), record, cells, [7, 'x', 'y']], 'a cell'],
  [
    'a greater cell than one may be',
    [...deletedField, recordsOf(), record, cells, [7, 'x'.repeat(300_000)]],
    'bytes',
  ],
  [
    'more in the deleted fields of a record than has room there',
    [
      entry(1, 'field', [id('fld', 2)], inTable),
      fieldOf(2, deleted(1)),
      recordsOf(id('fld', 2)),
      [...record, 'x'.repeat(300_000)],
    ],
    'bytes',
  ],
]

/** The lines with the places in the tree of what stands there, as archives of version 2 and more say them. */
function withNodes(lines: readonly object[]): readonly object[] {
  return lines.map((line, index) => {
    const [[kind = '', said] = []] = Object.entries(line)
    const isInTree = kind === 'table' || kind === 'dashboard'
    return isInTree ? { [kind]: { ...said, node: id('bno', index) } } : line
  })
}

function recordAt(number: number): readonly unknown[] {
  return [id('rec', number), number, ...record.slice(2)]
}

/** The same of what lies in the trash by its name, which follows from other cells. */
const named = (lines: (cell: unknown) => readonly unknown[], cell: unknown) =>
  archiveOf([
    { ...head, version: 4 },
    table,
    { field: { ...field.field, ...formula } },
    view,
    ofRecord,
    recordsOf(),
    ...lines(cell),
  ])

describeOnEveryStorage('archives whose trash is refused', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let spaceId: string

  beforeAll(async () => {
    spaceId = (await world.api.bases.getBase({ baseId: world.baseId })).spaceId
  })

  const importing = (content: string, sameIds = false) =>
    world.api.archives.importBase({ spaceId, content, sameIds })

  const expectRefused = async (content: string, says: string) => {
    const refusal = await importing(content).then(
      () => undefined,
      (error: unknown) => error as { code?: string; message: string },
    )
    expect([refusal?.code, refusal?.message]).toEqual([
      'validation_error',
      expect.stringContaining(says),
    ])
    expect(await world.api.bases.listBases({ spaceId })).toHaveLength(1)
  }

  describe('[ARCHIVE-10] [ARCHIVE-21] for what no call leaves there', () => {
    test.each(forged)('%s', async (_, lines, says) => {
      await expectRefused(archiveWith(...lines), says)
    })
  })

  test('[ARCHIVE-24] for names of records that are no such names, or of records that live', async () => {
    const gone = (cell: unknown) => [[0, ...record.slice(0, -1), cell]]
    for (const cell of [5, ['a'], { a: 1 }, 'a\u0000']) {
      await expectRefused(named(gone, cell), 'must hold what its formula gives')
    }
    const here = (cell: unknown) => [[...record.slice(0, -1), cell]]
    await expectRefused(named(here, 'x'), 'only deleted records have it')
    const { id: baseId } = await importing(named(gone, 'Last'))
    expect((await listTrashOf(world.api, baseId))[0]?.seen.things).toEqual([{ name: 'Last' }])
    await world.api.bases.deleteBasePermanently({ baseId })
  })

  test('[ARCHIVE-21] but not for records that did not come, which may have been restored meanwhile', async () => {
    const named = [3, 2, 9].map((number) => id('rec', number))
    const rows = [2, 3].map((number) => [0, ...recordAt(number)])
    const lines = [entry(1, 'record', named, inTable), recordsOf(), ...rows]
    const { id: baseId } = await importing(archiveWith(...lines))
    const [made] = await world.api.tables.listTables({ baseId })
    const place = { resourceId: made?.id ?? '', resourceType: 'table' } as const
    const { trashItems } = await world.api.trash.listTrashItems(place)
    expect(trashItems.map(({ resourceIds }) => resourceIds)).toEqual([named.slice(0, 2)])
    await world.api.bases.deleteBasePermanently({ baseId })
  })

  test('[ARCHIVE-10] for a table in the trash whose views keep more than a table may', async () => {
    const lines = [entry(1, 'table', [id('tbl', 2)]), ...tableInTrash()]
    await withLimits({ tableViewsLength: 1 }, () =>
      expectRefused(
        archiveOf([{ ...head, version: 4 }, ...lines]),
        'the views of a table may keep',
      ),
    )
  })

  test('[ARCHIVE-8] leaves nothing of its trash where it is not whole', async () => {
    const lines = [
      entry(1, 'table', [id('tbl', 2)]),
      entry(2, 'dashboard', [id('dsh', 1)]),
      entry(3, 'view', [id('viw', 2)], inTable),
      ...tableInTrash(),
      dashboard(deleted(2)),
      viewOf(2, deleted(3)),
    ]
    const start = [{ ...head, version: 4, id: id('bse', 1) }, table, field, view]
    const content = archiveOf(withNodes([...start, ...lines, recordsOf(), record]))
    await world.finishJobs()
    await expect(importing(content.replace('Emma', 'Anna'), true)).rejects.toThrow('was changed')
    await world.finishJobs()
    const { id: baseId } = await importing(content, true)
    expect(await listTrashOf(world.api, baseId)).toHaveLength(3)
    await world.api.bases.deleteBasePermanently({ baseId })
  })

  test('[ARCHIVE-10] fields of the trash that would follow from themselves have an error when they are back', async () => {
    const reading = (own: number, other: number, of = own) =>
      fieldOf(own, {
        ...{ type: 'formula', options: { expression: `{${id('fld', other)}}` } },
        ...deleted(of),
      })
    const lines = [2, 3].map((number) => entry(number, 'field', [id('fld', number)], inTable))
    const content = archiveWith(...lines, reading(2, 3), reading(3, 2), recordsOf(), record)
    const { id: baseId } = await importing(content)
    for (const { id: trashId } of await listTrashOf(world.api, baseId)) {
      await world.api.trash.restoreTrash({ trashId })
    }
    await world.finishJobs()
    const [made] = await world.api.tables.listTables({ baseId })
    const fields = await world.api.fields.listFields({ tableId: made?.id ?? '' })
    expect(fields).toHaveLength(3)
    expect(fields.some(({ hasError }) => hasError)).toBe(true)
    expect((await world.api.bases.verifyBase({ baseId })).problems).toEqual([])
    await world.api.bases.deleteBasePermanently({ baseId })
  })
})
