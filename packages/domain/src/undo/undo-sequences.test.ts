import { openTableWorld, type TableWorld } from '@gateleg/testing/table-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { worldOfBlock } from '@gateleg/testing/world-of-block'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'

/** A call that changes something of the table; numbers are counted round. */
interface Command {
  readonly kind: keyof typeof weights
  readonly record: number
  readonly value: number
  readonly other: number
}

const weights = {
  name: 4,
  count: 2,
  tags: 2,
  files: 1,
  link: 3,
  many: 2,
  paste: 2,
  clear: 1,
  add: 2,
  viewName: 1,
  filter: 1,
  width: 1,
  fieldName: 1,
  remove: 2,
  addField: 1,
  copyField: 1,
  removeField: 1,
  addView: 1,
  removeView: 1,
  moveRows: 2,
  moveWritten: 1,
  sortOnce: 1,
  sortView: 1,
  convert: 3,
}

const command = fc
  .oneof(
    ...Object.entries(weights).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) })),
  )
  .chain((kind) =>
    fc
      .record({ record: fc.nat(5), value: fc.nat(3), other: fc.nat(3) })
      .map((numbers): Command => ({ kind: kind as Command['kind'], ...numbers })),
  )

/** How many sequences are drawn on each storage; half as many of two windows. */
const runs = Number(process.env.UNDO_SEQUENCES ?? 40)

/** Sequences after which others begin with tables of their own: those that hold much are slow. */
const sequencesPerTable = 50

/** Time for as many sequences as people explore. */
const timeoutMs = 1_200_000

/** Those of records, as many as there will be in a table. */
const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1)

const texts = [null, 'a', 'b', 'c']

describeOnEveryStorage('sequences of undo and redo', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let api: TableWorld['api']
  /** The same for some runs, each in windows of its own: what one leaves, the next begins with. */
  let tables: Tables
  let windows = 0

  beforeAll(async () => {
    api = world.api
  })

  /** A window that nobody has been in yet. */
  async function newWindow(): Promise<string> {
    if (windows % sequencesPerTable === 0) tables = await makeTables()
    return `window-${windows++}`
  }

  /** A table that links to another, with what follows from the link. */
  async function makeTables() {
    const other = await world.makeNames('Others', 'x', 'y')
    const table = await world.makeNames('Names', 'a', 'b', 'c')
    const link = await world.addField(table, {
      ...{ type: 'link', name: 'Link' },
      options: { relationship: 'manyMany', foreignTableId: other.id },
    })
    const choices = [{ name: 't' }, { name: 'u' }]
    await world.addField(table, { type: 'multipleSelect', name: 'Tags', options: { choices } })
    await world.addField(table, {
      ...{ type: 'formula', name: 'Shown' },
      options: { expression: `{${table.primaryId}} & " " & {${link.id}}` },
    })
    const { id: fieldId } = await world.addField(table, { type: 'attachment', name: 'Files' })
    for (const [index, recordId] of table.recordIds.entries()) {
      const stream = async function* () {
        yield new TextEncoder().encode(`file ${index}`)
      }
      const file = { name: `${index}.txt`, stream }
      await api.attachments.uploadAttachment({ tableId: table.id, recordId, fieldId, file })
    }
    const cells = (await world.cellsOf(table, 'Files')) as { name: string; token: string }[][]
    const files = cells.flat().map(({ name, token }) => ({ name, token }))
    const [view] = await api.views.listViews({ tableId: table.id })
    return { table, other, files, viewId: view?.id ?? '' }
  }
  type Tables = Awaited<ReturnType<typeof makeTables>>

  const recordsOf = async (tableId: string) =>
    (await api.records.listRecords({ tableId, fieldKeyType: 'id' })).records.map(
      ({ id, fields, name }) => ({ id, fields, name }),
    )

  /** The row order of a view, with the places of records that don't stand by their numbers: some sorts hide them. */
  const placesOf = (tableId: string, viewId: string) =>
    world.engine.store.read(async (tx) => {
      const id = (await tx.views.find(tableId, viewId))?.rowOrder?.id
      if (id === undefined) return undefined
      const noted = await tx.rowOrders.notedOf(world.baseId, id, numbers)
      const moved = [...noted].filter(([number, { position }]) => number !== position)
      return [id, ...moved.map(([number, { position }]) => [number, position]).toSorted()]
    })

  /** All that people see of the tables, but for who changed it last and when. */
  async function stateOf() {
    const { table, other, viewId } = tables
    const shown = await api.records.listRecords({ tableId: table.id, viewId })
    const views = await api.views.listViews({ tableId: table.id })
    const fields = await api.fields.listFields({ tableId: table.id })
    const others = await api.fields.listFields({ tableId: other.id })
    return {
      places: await placesOf(table.id, viewId),
      shown: shown.records.map(({ id }) => id),
      records: [await recordsOf(table.id), await recordsOf(other.id)],
      views: views.map(({ lastModifiedTime: _, lastModifiedBy: __, ...view }) => view),
      names: fields.map(({ name, dbFieldName, description, type, options }) => {
        const { choices: _, ...settings } = options as { choices?: unknown }
        return [name, dbFieldName, description, type, settings]
      }),
      otherNames: others.map(({ name, dbFieldName }) => [name, dbFieldName]),
    }
  }

  async function change({ kind, record, value, other }: Command, at: object) {
    const { table, viewId } = tables
    const tableId = table.id
    const recordIds = (await recordsOf(tableId)).map(({ id }) => id)
    const recordId = recordIds[record % recordIds.length] ?? ''
    const fields = await api.fields.listFields({ tableId })
    const fieldIds = fields.map(({ id }) => id)
    // Conversions of links have no way back.
    const entered = fields.filter(({ type }) => type !== 'link').map(({ id }) => id)
    const [name, count, link, tags, , ...added] = fieldIds
    const viewIds = (await api.views.listViews({ tableId })).map(({ id }) => id)
    const text = texts[value] ?? null
    const foreign = tables.other.recordIds.filter((_, index) => (value >> index) % 2 === 1)
    const set = (fieldId = '', cell: unknown) =>
      api.records.updateRecord(
        { tableId, recordId, fieldKeyType: 'id', record: { fields: { [fieldId]: cell } } },
        at,
      )
    const by = [name, count][value % 2] ?? ''
    const sortObjs = [
      { fieldId: by, order: other % 2 === 0 ? ('asc' as const) : ('desc' as const) },
    ]
    const chosen = texts.slice(0, value + 1).flatMap((one) => (one ? [{ name: one }] : []))
    const ranges = [
      [other % 2, record % recordIds.length],
      [other % 2, record % recordIds.length],
    ] as never
    const commands: Record<Command['kind'], () => Promise<unknown>> = {
      name: () => set(name, text),
      count: () => set(count, value === 0 ? null : value),
      files: () =>
        set(
          fields.find(({ type }) => type === 'attachment')?.id,
          tables.files.slice(value % 2, other),
        ),
      tags: () => set(tags, [[], ['t'], ['u'], ['u', 't']][value]),
      link: () =>
        set(
          link,
          foreign.map((id) => ({ id })),
        ),
      many: () => {
        const fields = { [name ?? '']: text, [count ?? '']: other }
        const records = recordIds.map((id) => ({ id, fields }))
        return api.records.updateRecords({ tableId, fieldKeyType: 'id', records }, at)
      },
      paste: () =>
        api.selections.pasteCells({ tableId, viewId, ranges, content: `${value}\n${other}` }, at),
      clear: () => api.selections.clearCells({ tableId, viewId, ranges }, at),
      add: () => {
        const fields = { [name ?? '']: text, [link ?? '']: foreign.map((id) => ({ id })) }
        return api.records.createRecords({ tableId, fieldKeyType: 'id', records: [{ fields }] }, at)
      },
      viewName: () => api.views.renameView({ tableId, viewId, name: `View ${value}` }, at),
      filter: () => {
        const filterSet = [
          { fieldId: count ?? '', operator: 'isGreater' as const, value: value - 5 },
        ]
        const filter = value === 0 ? null : { conjunction: 'or' as const, filterSet }
        return api.views.setViewFilter({ tableId, viewId, filter }, at)
      },
      width: () => {
        const columnMeta = [{ fieldId: name ?? '', columnMeta: { width: 100 + value } }]
        return api.views.setColumnMeta({ tableId, viewId, columnMeta }, at)
      },
      fieldName: () =>
        api.fields.updateField({ tableId, fieldId: count ?? '', name: `Field ${value}` }, at),
      remove: () => {
        const doomed = recordIds.slice(record % recordIds.length).slice(0, 1 + (value % 2))
        return api.records.deleteRecords({ tableId, recordIds: doomed }, at)
      },
      addField: () => {
        const relationship = value === 2 ? 'oneMany' : 'manyMany'
        const options = { relationship, foreignTableId: tables.other.id }
        const one = value < 2 ? { type: 'number' } : { type: 'link', options }
        return api.fields.createField({ tableId, name: `Added ${other}`, ...one } as never, at)
      },
      copyField: () =>
        api.fields.duplicateField({ tableId, fieldId: fieldIds[record] ?? '', viewId }, at),
      removeField: () => {
        const fieldId = added[value % (added.length + 1)] ?? tags ?? ''
        return api.fields.deleteField({ tableId, fieldId }, at)
      },
      moveRows: () => {
        const rows = recordIds.filter((id) => id !== recordId).slice(value, value + 2)
        const place = { anchorId: recordId, position: 'before' as const }
        return api.views.moveRows({ tableId, viewId, ...place, recordIds: rows }, at)
      },
      moveWritten: () => {
        const order = { viewId, anchorId: recordIds[other] ?? '', position: 'after' as const }
        const fields = { [name ?? '']: text }
        const all = { tableId, fieldKeyType: 'id' as const, order }
        return value % 2 === 0
          ? api.records.createRecords({ ...all, records: [{ fields }] }, at)
          : api.records.updateRecords({ ...all, records: [{ id: recordId, fields }] }, at)
      },
      sortOnce: () => api.views.sortViewManually({ tableId, viewId, sortObjs }, at),
      sortView: () => {
        const sorts = [null, { sortObjs }, { sortObjs, manualSort: true }, { sortObjs }]
        return api.views.setViewSort({ tableId, viewId, sort: sorts[value] ?? null }, at)
      },
      convert: () => {
        const fieldId = entered[record] ?? count ?? ''
        const kinds = [
          { type: ['singleLineText', 'longText', 'attachment'][value % 3] },
          { type: 'number', options: { formatting: { type: 'decimal', precision: value } } },
          { type: value < 2 ? 'singleSelect' : 'multipleSelect', options: { choices: chosen } },
          { type: 'formula', options: { expression: value % 2 === 0 ? '1 + 1' : `{${name}}` } },
        ]
        // What changes of a select alone is its choices, which are no part of the states: those that cells bring stay.
        const isSelect = fields.some(({ id, type }) => id === fieldId && type.endsWith('Select'))
        const kind = kinds[isSelect && other === 2 ? 0 : other]
        return api.fields.convertField({ tableId, fieldId, ...kind } as never, at)
      },
      addView: () => api.views.createView({ tableId, type: 'grid', name: `Grid ${value}` }, at),
      removeView: () =>
        api.views.deleteView({ tableId, viewId: viewIds[1 + (value % viewIds.length)] ?? '' }, at),
    }
    // What a view doesn't show by now can't be pasted into, for one: then nothing was done.
    return commands[kind]().catch((error) => expect(error).toHaveProperty('code'))
  }

  const statusOf = async (windowId: string, direction: 'undo' | 'redo') => {
    const input = { tableId: tables.table.id }
    const { status, errorMessage } = await (direction === 'undo'
      ? api.undo.undoChange(input, { windowId })
      : api.undo.redoChange(input, { windowId }))
    return errorMessage ?? status
  }

  test(
    '[UNDO-6] undo after any commands always leaves what was before each, redo what was after',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(command, { minLength: 1, maxLength: 6 }),
          fc.array(fc.constantFrom('undo' as const, 'redo' as const), { maxLength: 8 }),
          async (commands, walk) => {
            const windowId = await newWindow()
            const states = [await stateOf()]
            for (const next of commands) {
              await change(next, { windowId })
              const state = await stateOf()
              if (JSON.stringify(state) === JSON.stringify(states.at(-1))) continue
              states.push(state)
            }
            let place = states.length - 1
            for (const direction of walk) {
              const next = direction === 'undo' ? place - 1 : place + 1
              const isThere = next >= 0 && next < states.length
              expect(await statusOf(windowId, direction)).toBe(isThere ? 'fulfilled' : 'empty')
              if (isThere) place = next
              expect(await stateOf()).toEqual(states[place])
            }
            for (place--; place >= 0; place--) {
              expect(await statusOf(windowId, 'undo')).toBe('fulfilled')
              expect(await stateOf()).toEqual(states[place])
            }
            expect(await statusOf(windowId, 'undo')).toBe('empty')
          },
        ),
        { numRuns: runs },
      )
    },
    timeoutMs,
  )

  test(
    '[UNDO-5] undo in one of two windows always changes nothing where it fails',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(command, fc.boolean()), { minLength: 2, maxLength: 6 }),
          async (commands) => {
            const windowId = await newWindow()
            for (const [next, isOther] of commands) {
              await change(next, { windowId: isOther ? 'another' : windowId })
            }
            let status = ''
            while (status !== 'empty') {
              const before = await stateOf()
              status = await statusOf(windowId, 'undo')
              if (status !== 'fulfilled') expect(await stateOf()).toEqual(before)
            }
          },
        ),
        { numRuns: Math.ceil(runs / 2) },
      )
    },
    timeoutMs,
  )
})
