import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** A table, and its twin: the one is changed by selections, the other by the ids of what these mean. */
interface Twin {
  readonly tableId: string
  readonly viewId: string
}

interface Step {
  readonly kind: 'copy' | 'paste' | 'clear' | 'delete'
  readonly query: number
  readonly isInView: boolean
  readonly type: 'columns' | 'rows' | undefined
  readonly ranges: readonly (readonly [number, number])[]
  readonly content: readonly (readonly string[])[]
}

/** Columns and rows by number, or nothing where the selection is none. */
interface Marked {
  readonly columns: readonly number[]
  readonly rows: readonly number[]
}

const filter = {
  conjunction: 'and',
  filterSet: [{ fieldId: 'Pages', operator: 'isNotEmpty', value: null }],
} as const
const queries = [
  {},
  {},
  { filter },
  { orderBy: [{ fieldId: 'Title', order: 'desc' }] },
  { filter, orderBy: [{ fieldId: 'Pages', order: 'asc' }] },
] as const

const number = fc.nat({ max: 4 })
const pair = fc.tuple(number, number)
const upwards = pair.map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])
const cellPair = fc
  .tuple(upwards, upwards)
  .map(([[left, right], [top, bottom]]): [number, number][] => [
    [left, top],
    [right, bottom],
  ])
const where = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant(undefined), ranges: cellPair }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('columns' as const, 'rows' as const),
      ranges: fc.array(upwards, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom(undefined, 'columns' as const, 'rows' as const),
      ranges: fc.array(pair, { minLength: 1, maxLength: 3 }),
    }),
  },
)
const cell = fc.constantFrom(
  ...['', 'x', '12', '-3.5', 'true', 'novel', 'new', 'novel, "a, b"', '2026-02-03'],
  ...['two\nlines', '"q"', '\ttab', ' wide '],
)
const content = fc.integer({ min: 1, max: 3 }).chain((width) =>
  fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
    minLength: 1,
    maxLength: 4,
  }),
)
const step: fc.Arbitrary<Step> = fc
  .record({
    kind: fc.constantFrom('copy', 'paste', 'paste', 'paste', 'clear', 'delete'),
    query: fc.nat({ max: queries.length - 1 }),
    isInView: fc.boolean(),
    content,
    where,
  })
  .map(({ where: { type, ranges }, ...rest }) => ({ ...rest, type, ranges }))

const fields = [
  { type: 'singleLineText', name: 'Title' },
  { type: 'number', name: 'Pages' },
  { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'novel' }] } },
  { type: 'longText', name: 'Notes' },
]
const records = [
  { Title: 'b', Pages: 2 },
  { Title: 'a', Tags: ['novel'] },
  { Pages: 1, Notes: 'one\ntwo' },
]

/** Which cells the ranges mean in so many columns and rows, computed one by one. */
function markedBy({ type, ranges, kind }: Step, width: number, height: number): Marked | undefined {
  const inPair = ([first, last]: readonly [number, number], index: number) =>
    first <= index && index <= last
  const all = (count: number) => Array.from({ length: count }, (_, index) => index)
  const end = kind === 'paste' ? 1 : 0
  if (type) {
    const count = type === 'columns' ? width : height
    if (ranges.some(([first, last]) => first > last)) return undefined
    if (kind === 'paste') {
      const [only] = ranges
      const isAlone = all(30).every((index) => {
        const isIn = ranges.some((range) => inPair(range, index))
        const [first = 0, last = 0] = [
          Math.min(...ranges.map(([a]) => a)),
          Math.max(...ranges.map(([, b]) => b)),
        ]
        return isIn || index < first || index > last
      })
      if (!only || !isAlone) return undefined
    }
    const marked = all(30).filter((index) => ranges.some((range) => inPair(range, index)))
    const [first = 0] = marked
    const isBehind = kind === 'paste' && marked.length === 1 && first === count
    if (!isBehind && marked.some((index) => index >= count)) return undefined
    const others = all(Math.max(type === 'columns' ? height : width, end))
    return type === 'columns'
      ? { columns: marked, rows: others }
      : { columns: others, rows: marked }
  }
  const [from, to, ...more] = ranges
  if (!from || !to || more.length > 0 || from[0] > to[0] || from[1] > to[1]) return undefined
  const isIn = (first: number, last: number, count: number) =>
    last < count || (kind === 'paste' && first === last && first === count)
  if (!isIn(from[0], to[0], width) || !isIn(from[1], to[1], height)) return undefined
  return {
    columns: all(30).filter((index) => inPair([from[0], to[0]], index)),
    rows: all(30).filter((index) => inPair([from[1], to[1]], index)),
  }
}

function quoted(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.split('"').join('""')}"` : text
}

function printed(rows: readonly (readonly string[])[]): string {
  const text = rows.map((cells) => cells.map(quoted).join('\t')).join('\n')
  return text.endsWith('\n') ? `${text}""` : text
}

describeOnEveryStorage('selections', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  const makeTwin = async (): Promise<Twin> => {
    const { id: tableId } = await world.makeTable('Twin', fields, records)
    const [title, pages, tags] = await world.api.fields.listFields({ tableId })
    await world.addField(
      { id: tableId },
      { type: 'formula', name: 'Twice', options: { expression: `{${pages?.id}} * 2` } },
    )
    const { id: viewId } = await world.api.views.createView({
      tableId,
      type: 'grid',
      columnMeta: {
        [tags?.id ?? '']: { order: -1 },
        [title?.id ?? '']: { order: 9, hidden: false },
        [pages?.id ?? '']: { hidden: true },
      },
    })
    return { tableId, viewId }
  }
  const queryOf = ({ tableId, viewId }: Twin, { query, isInView }: Step) => ({
    tableId,
    ...(queries[query] as object),
    ...(isInView && { viewId }),
  })
  const picture = async ({ tableId, viewId }: Twin) => {
    const shown = { tableId, take: 2_000 }
    const { records } = await world.api.records.listRecords(shown)
    const listed = await world.api.fields.listFields({ tableId, viewId })
    const choices = (options: object) =>
      ((options as { choices?: { name: string }[] }).choices ?? []).map(({ name }) => name)
    return {
      records: records.map((record) => record.fields),
      fields: listed.map(({ name, type, options }) => [name, type, choices(options)]),
    }
  }

  /** What the step does to the twin, by ids alone; what a copy answers. Undefined where it is refused. */
  async function doById(twin: Twin, one: Step): Promise<{ readonly text?: string } | undefined> {
    const { api } = world
    const { tableId, viewId } = twin
    const listed = await api.fields.listFields({
      tableId,
      ...(one.isInView && { viewId, filterHidden: true }),
    })
    const names = listed.map(({ name }) => name)
    const query = { ...queryOf(twin, one), projection: names, cellFormat: 'text', take: 2_000 }
    const { records: found } = await api.records.listRecords(query as never)
    const marked = markedBy(one, names.length, found.length)
    if (!marked) return undefined
    const columns = marked.columns.map((index) => names[index])
    const rows = marked.rows.flatMap((index) => found[index] ?? [])
    if (one.kind === 'copy') {
      const cells = rows.map((row) => columns.map((name) => String(row.fields[name ?? ''] ?? '')))
      return { text: printed(cells) }
    }
    if (one.kind === 'delete') {
      const recordIds = rows.map(({ id }) => id)
      if (recordIds.length > 0) await api.records.deleteRecords({ tableId, recordIds })
      return {}
    }
    if (one.kind === 'clear') {
      const empty = Object.fromEntries(columns.map((name) => [name, null]))
      const cleared = rows.map(({ id }) => ({ id, fields: empty }))
      if (cleared.length > 0) await api.records.updateRecords({ tableId, records: cleared })
      return {}
    }
    const [firstColumn = 0] = marked.columns
    const [firstRow = 0] = marked.rows
    const [contentRow = []] = one.content
    const extent = (range: number, size: number) => (range % size === 0 ? range : size)
    const width = extent(marked.columns.length, contentRow.length)
    const height = extent(marked.rows.length, one.content.length)
    for (let column = names.length; column < firstColumn + width; column++) {
      const texts = one.content.map((row) => row[(column - firstColumn) % contentRow.length] ?? '')
      const type = texts.some((text) => text.includes('\n')) ? 'longText' : 'singleLineText'
      names.push((await api.fields.createField({ tableId, type })).name)
    }
    const written = Array.from({ length: height }, (_, row) =>
      Object.fromEntries(
        Array.from({ length: width }, (_, column) => [
          names[firstColumn + column],
          one.content[row % one.content.length]?.[column % contentRow.length],
        ]),
      ),
    )
    const there = written.flatMap((cells, row) => {
      const id = found[firstRow + row]?.id
      return id === undefined ? [] : [{ id, fields: cells }]
    })
    const added = written.slice(there.length).map((cells) => ({ fields: cells }))
    if (there.length > 0) {
      await api.records.updateRecords({ tableId, records: there as never, typecast: true })
    }
    if (added.length > 0) {
      await api.records.createRecords({ tableId, records: added as never, typecast: true })
    }
    return {}
  }

  /** The same by selections. */
  async function doBySelection(twin: Twin, one: Step): Promise<{ readonly text?: string }> {
    const { selections } = world.api
    const { type, ranges, kind } = one
    const input = { ...queryOf(twin, one), ...(type && { type }), ranges } as never
    const pasted = { ...(input as object), content: printed(one.content) } as never
    if (kind === 'copy') return { text: (await selections.copyCells(input)).content }
    if (kind === 'paste') await selections.pasteCells(pasted)
    if (kind === 'clear') await selections.clearCells(input)
    if (kind === 'delete') await selections.deleteSelectedRecords(input)
    return {}
  }

  test('[SELECTION-13] [SELECTION-3] [SELECTION-4] always do what is done by ids', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const [one, other] = [await makeTwin(), await makeTwin()]
        for (const next of steps) {
          const expected = await doById(other, next)
          const done = doBySelection(one, next)
          if (expected) expect(await done).toEqual(expected)
          else await expect(done).rejects.toMatchObject({ code: 'validation_error' })
          expect(await picture(one)).toEqual(await picture(other))
        }
        await world.clear()
      }),
      { numRuns: 60 },
    )
  }, 120_000)
})
