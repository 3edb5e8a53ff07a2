import type { Api } from '@gateleg/domain/api'
import type { FieldOutput } from '@gateleg/domain/fields/field-output'
import { relationships } from '@gateleg/domain/fields/link-end'
import fc from 'fast-check'
import type { TableWorld, TestTable } from './table-world.ts'

/** A call that changes something of the tables; numbers are counted round. */
export interface UndoCommand {
  readonly kind: keyof typeof weights
  readonly record: number
  readonly value: number
  readonly other: number
}

const weights = {
  name: 4,
  count: 2,
  tags: 2,
  text: 2,
  files: 1,
  link: 3,
  otherEnd: 2,
  many: 2,
  paste: 2,
  clear: 1,
  add: 2,
  viewName: 1,
  filter: 1,
  width: 1,
  fieldName: 1,
  remove: 2,
  removeOther: 1,
  addField: 1,
  copyField: 1,
  removeField: 2,
  addView: 1,
  removeView: 1,
  moveRows: 2,
  moveWritten: 1,
  sortOnce: 1,
  sortView: 1,
  convert: 3,
  makeLink: 3,
  changeLink: 2,
  endLink: 2,
  retitle: 1,
}

/** Any such call. */
export const undoCommand: fc.Arbitrary<UndoCommand> = fc
  .oneof(
    ...Object.entries(weights).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) })),
  )
  .chain((kind) =>
    fc
      .record({ record: fc.nat(5), value: fc.nat(3), other: fc.nat(3) })
      .map((numbers): UndoCommand => ({ kind: kind as UndoCommand['kind'], ...numbers })),
  )

/** Two tables that are linked, with all that commands are about. */
export interface UndoTables {
  readonly baseIds: readonly string[]
  readonly table: TestTable
  /** The linked table, in the same base or in another one of the space. */
  readonly other: TestTable
  readonly files: readonly { readonly name: string; readonly token: string }[]
  readonly viewId: string
}

/** Makes the tables, the linked one in the base that is named. */
export async function makeUndoTables(world: TableWorld, otherBaseId: string): Promise<UndoTables> {
  const { api, baseId } = world
  const text = { type: 'singleLineText' }
  const number = { type: 'number' }
  const other = await world.makeTable(
    'Others',
    [
      { ...text, name: 'Name' },
      { ...number, name: 'Count' },
    ],
    ['x', 'y'].map((Name, index) => ({ Name, Count: index + 1 })),
    otherBaseId,
  )
  const table = await world.makeNames('Names', 'a', 'b', 'c')
  const linkTo = ({ id: foreignTableId }: TestTable, more: object = {}) => ({
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId, ...more },
  })
  const link = await world.addField(table, { ...linkTo(other), name: 'Link' })
  const choices = [{ name: 't' }, { name: 'u' }]
  await world.addField(table, { type: 'multipleSelect', name: 'Tags', options: { choices } })
  await world.addField(table, {
    ...{ type: 'formula', name: 'Shown' },
    options: { expression: `{${table.primaryId}} & " " & {${link.id}}` },
  })
  const { id: fieldId } = await world.addField(table, { type: 'attachment', name: 'Files' })
  const { id: textId } = await world.addField(table, { type: 'longText', name: 'Text' })
  const { id: countId } = await world.fieldOf(other, 'Count')
  const read = { foreignTableId: other.id, linkFieldId: link.id, lookupFieldId: countId }
  await world.addField(table, { ...number, name: 'Counts', isLookup: true, lookupOptions: read })
  const end = await world.fieldOf(other, 'Names')
  await world.addField(other, {
    ...{ type: 'rollup', name: 'Sum', options: { expression: 'countall({values})' } },
    lookupOptions: { foreignTableId: table.id, linkFieldId: end.id, lookupFieldId: textId },
  })
  const titled = { isOneWay: true, lookupFieldId: textId }
  await world.addField(other, { ...linkTo(table, titled), name: 'Titled' })
  await world.change(other, other.recordIds[0], {
    Titled: table.recordIds.slice(0, 2).map((id) => ({ id })),
  })
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
  const baseIds = [...new Set([baseId, otherBaseId])]
  return { baseIds, table, other, files, viewId: view?.id ?? '' }
}

/** Makes the call in the window; one that can't be made does nothing. */
export async function takeUndoCommand(
  api: Api,
  tables: UndoTables,
  command: UndoCommand,
  at: { readonly windowId: string },
): Promise<void> {
  const { table, other, viewId } = tables
  const [listed, fields, otherFields, views] = await Promise.all([
    api.records.listRecords({ tableId: table.id }),
    api.fields.listFields({ tableId: table.id }),
    api.fields.listFields({ tableId: other.id }),
    api.views.listViews({ tableId: table.id }),
  ])
  const context: CommandContext = {
    ...{ api, tables, command, at, fields, otherFields, viewId },
    viewIds: views.map(({ id }) => id),
    recordIds: listed.records.map(({ id }) => id),
  }
  const commands = {
    ...recordCommands(context),
    ...viewCommands(context),
    ...fieldCommands(context),
    ...linkCommands(context),
  }
  await commands[command.kind]().catch((error: { code?: unknown }) => {
    // What a view doesn't show by now can't be pasted into, for one: then nothing was done.
    if (error.code === undefined) throw error
  })
}

interface CommandContext {
  readonly api: Api
  readonly tables: UndoTables
  readonly command: UndoCommand
  readonly at: { readonly windowId: string }
  readonly fields: readonly FieldOutput[]
  readonly otherFields: readonly FieldOutput[]
  readonly viewIds: readonly string[]
  readonly recordIds: readonly string[]
  readonly viewId: string
}

const texts = [null, 'a', 'b', 'c']

/** Texts that name records of the tables, and such as name none. */
const titles = [null, 'x', 'y, x', 'b, none, a']

function at<T>(things: readonly T[], place: number): T | undefined {
  return things[place % things.length]
}

/** What is written into cells, and records that come and go. */
function recordCommands({ api, tables, command, at: options, ...found }: CommandContext) {
  const { record, value, other } = command
  const { fields, otherFields, recordIds, viewId } = found
  const tableId = tables.table.id
  const recordId = at(recordIds, record) ?? ''
  const [name = '', count = ''] = fields.map(({ id }) => id)
  const named = (wanted: string) => fields.find((field) => field.name === wanted)?.id ?? ''
  const text = texts[value] ?? null
  const foreign = tables.other.recordIds
    .filter((_, index) => (value >> index) % 2 === 1)
    .map((id) => ({ id }))
  const setIn = (placed: { tableId: string; recordId: string }, fieldId: string, cell: unknown) =>
    api.records.updateRecord(
      { ...placed, fieldKeyType: 'id', record: { fields: { [fieldId]: cell } } },
      options,
    )
  const set = (fieldId: string, cell: unknown) => setIn({ tableId, recordId }, fieldId, cell)
  const place = [other % 2, record % recordIds.length]
  const ranges = [place, place] as never
  return {
    name: () => set(name, text),
    count: () => set(count, value === 0 ? null : value),
    tags: () => set(named('Tags'), [[], ['t'], ['u'], ['u', 't']][value]),
    text: () => set(named('Text'), titles[value]),
    files: () => set(named('Files'), tables.files.slice(value % 2, other)),
    link: () => set(named('Link'), foreign),
    otherEnd: () => {
      const ends = otherFields.filter(({ type, isLookup }) => type === 'link' && !isLookup)
      const linked = recordIds.filter((_, index) => ((record >> index) + other) % 2 === 1)
      const ids = value % 2 === 0 ? linked : linked.toReversed()
      const one = { tableId: tables.other.id, recordId: at(tables.other.recordIds, value) ?? '' }
      return setIn(
        one,
        at(ends, other)?.id ?? '',
        ids.map((id) => ({ id })),
      )
    },
    many: () => {
      const records = recordIds.map((id) => ({ id, fields: { [name]: text, [count]: other } }))
      return api.records.updateRecords({ tableId, fieldKeyType: 'id', records }, options)
    },
    paste: () =>
      api.selections.pasteCells(
        { tableId, viewId, ranges, content: `${value}\n${other}` },
        options,
      ),
    clear: () => api.selections.clearCells({ tableId, viewId, ranges }, options),
    add: () => {
      const cells = { [name]: text, [named('Link')]: foreign }
      const records = [{ fields: cells }]
      return api.records.createRecords({ tableId, fieldKeyType: 'id', records }, options)
    },
    remove: () => {
      const doomed = recordIds.slice(record % recordIds.length).slice(0, 1 + (value % 2))
      return api.records.deleteRecords({ tableId, recordIds: doomed }, options)
    },
    removeOther: () =>
      api.records.deleteRecord(
        { tableId: tables.other.id, recordId: at(tables.other.recordIds, value) ?? '' },
        options,
      ),
  }
}

/** Settings of views, and the order of rows in them. */
function viewCommands({ api, tables, command, at: options, ...found }: CommandContext) {
  const { record, value, other } = command
  const { fields, viewIds, recordIds, viewId } = found
  const tableId = tables.table.id
  const recordId = at(recordIds, record) ?? ''
  const [name = '', count = ''] = fields.map(({ id }) => id)
  const by = [name, count][value % 2] ?? ''
  const sortObjs = [{ fieldId: by, order: other % 2 === 0 ? ('asc' as const) : ('desc' as const) }]
  return {
    viewName: () => api.views.renameView({ tableId, viewId, name: `View ${value}` }, options),
    filter: () => {
      const filterSet = [{ fieldId: count, operator: 'isGreater' as const, value: value - 5 }]
      const filter = value === 0 ? null : { conjunction: 'or' as const, filterSet }
      return api.views.setViewFilter({ tableId, viewId, filter }, options)
    },
    width: () => {
      const columnMeta = [
        { fieldId: at(fields, record)?.id ?? name, columnMeta: { width: 100 + value } },
      ]
      return api.views.setColumnMeta({ tableId, viewId, columnMeta }, options)
    },
    moveRows: () => {
      const rows = recordIds.filter((id) => id !== recordId).slice(value, value + 2)
      const place = { anchorId: recordId, position: 'before' as const }
      return api.views.moveRows({ tableId, viewId, ...place, recordIds: rows }, options)
    },
    moveWritten: () => {
      const order = { viewId, anchorId: recordIds[other] ?? '', position: 'after' as const }
      const cells = { [name]: texts[value] ?? null }
      const all = { tableId, fieldKeyType: 'id' as const, order }
      return value % 2 === 0
        ? api.records.createRecords({ ...all, records: [{ fields: cells }] }, options)
        : api.records.updateRecords({ ...all, records: [{ id: recordId, fields: cells }] }, options)
    },
    sortOnce: () => api.views.sortViewManually({ tableId, viewId, sortObjs }, options),
    sortView: () => {
      const sorts = [null, { sortObjs }, { sortObjs, manualSort: true }, { sortObjs }]
      return api.views.setViewSort({ tableId, viewId, sort: sorts[value] ?? null }, options)
    },
    addView: () => api.views.createView({ tableId, type: 'grid', name: `Grid ${value}` }, options),
    removeView: () =>
      api.views.deleteView(
        { tableId, viewId: viewIds[1 + (value % viewIds.length)] ?? '' },
        options,
      ),
  }
}

/** Fields that come, go and become others, but for links. */
function fieldCommands({ api, tables, command, at: options, fields, viewId }: CommandContext) {
  const { record, value, other } = command
  const tableId = tables.table.id
  const fieldIds = fields.map(({ id }) => id)
  const [name = '', count = ''] = fieldIds
  const chosen = texts.slice(0, value + 1).flatMap((one) => (one ? [{ name: one }] : []))
  return {
    fieldName: () =>
      api.fields.updateField({ tableId, fieldId: count, name: `Field ${value}` }, options),
    addField: () => {
      const relationship = value === 2 ? 'oneMany' : 'manyMany'
      const linkOptions = { relationship, foreignTableId: tables.other.id }
      const one = value < 2 ? { type: 'number' } : { type: 'link', options: linkOptions }
      return api.fields.createField({ tableId, name: `Added ${other}`, ...one } as never, options)
    },
    copyField: () =>
      api.fields.duplicateField({ tableId, fieldId: at(fieldIds, record) ?? '', viewId }, options),
    removeField: () => {
      const fieldId = at(fieldIds.slice(2), record + value) ?? ''
      return api.fields.deleteField({ tableId, fieldId }, options)
    },
    convert: () => {
      const entered = fields.filter(({ type, isLookup }) => type !== 'link' || isLookup)
      const { id: fieldId = '', type: before = '' } = at(entered, record) ?? {}
      const kinds = [
        { type: ['singleLineText', 'longText', 'attachment'][value % 3] },
        { type: 'number', options: { formatting: { type: 'decimal', precision: value } } },
        { type: value < 2 ? 'singleSelect' : 'multipleSelect', options: { choices: chosen } },
        { type: 'formula', options: { expression: value % 2 === 0 ? '1 + 1' : `{${name}}` } },
      ]
      // What changes of a select alone is its choices, which are no part of the states: those that cells bring stay.
      const kind = kinds[before.endsWith('Select') && other === 2 ? 0 : other]
      return api.fields.convertField({ tableId, fieldId, ...kind } as never, options)
    },
  }
}

/** Fields that become links, links that become others or none, of either table. */
function linkCommands({ api, tables, command, at: options, ...found }: CommandContext) {
  const { record, value, other } = command
  const isThere = other % 2 === 1
  const [own, foreign] = isThere ? [tables.other, tables.table] : [tables.table, tables.other]
  const tableId = own.id
  const [, ...fields] = isThere ? found.otherFields : found.fields
  const isLink = ({ type, isLookup }: FieldOutput) => type === 'link' && !isLookup
  const links = fields.filter(isLink)
  const convert = (field: FieldOutput | undefined, definition: object) =>
    api.fields.convertField({ tableId, fieldId: field?.id ?? '', ...definition } as never, options)
  const linkTo = (target: TestTable, more: object) => ({
    type: 'link',
    options: { relationship: relationships[value], foreignTableId: target.id, ...more },
  })
  const target = record % 3 === 2 ? own : foreign
  return {
    makeLink: () => {
      const others = fields.filter((field) => !isLink(field))
      return convert(at(others, record + value), linkTo(target, { isOneWay: other > 1 }))
    },
    changeLink: () => convert(at(links, record), linkTo(target, { isOneWay: other > 1 })),
    endLink: () => {
      const kinds = [
        { type: 'longText' },
        { type: 'number' },
        { type: 'multipleSelect', options: { choices: [] } },
        { type: 'formula', options: { expression: '"f"' } },
      ]
      return convert(at(links, record), kinds[value] ?? {})
    },
    retitle: () => {
      const link = at(links, record)
      const before = (link?.options ?? {}) as { foreignTableId?: string }
      const isOwn = before.foreignTableId === tables.table.id
      const titleFields = isOwn ? found.fields : found.otherFields
      const lookupFieldId = at(titleFields, value + other)?.id
      return convert(link, { type: 'link', options: { ...before, lookupFieldId } })
    },
  }
}
