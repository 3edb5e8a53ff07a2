import type { Api } from '@gateleg/domain/api'
import { relationships } from '@gateleg/domain/fields/link-end'
import fc from 'fast-check'
import { listTrashOf } from '../../observations/trash-of-base.ts'

/** Something that is done to a base, and numbers that say to which of its things, counted round. */
export interface TrashAction {
  readonly kind: keyof typeof actions
  readonly at: number
  readonly other: number
  readonly more: readonly number[]
}

interface ActionContext extends TrashAction {
  readonly api: Api
  readonly baseId: string
}

const names = ['Name', 'A', 'B', 'New table', 'Sum']

/** The one of the things at a place, counted round. */
function at<T>(things: readonly T[], place: number): T {
  if (things.length === 0) throw new Error('there is none')
  return things[place % things.length] as T
}

const tableAt = async ({ api, baseId }: ActionContext, place: number) =>
  at(await api.tables.listTables({ baseId }), place).id

const recordsAt = async ({ api }: ActionContext, tableId: string, places: readonly number[]) => {
  const { records } = await api.records.listRecords({ tableId, take: 20 })
  return [...new Set(places.map((place) => at(records, place).id))]
}

const fieldAt = async ({ api }: ActionContext, tableId: string, place: number) =>
  at(await api.fields.listFields({ tableId }), place)

const nodeAt = async ({ api, baseId }: ActionContext, place: number) =>
  at(await api.tree.listNodes({ baseId }), place)

const viewAt = async ({ api }: ActionContext, tableId: string, place: number) =>
  at(await api.views.listViews({ tableId }), place)

/** What can be done to a base such that its trash differs afterwards, or what comes back from there. */
const actions = {
  'delete table': async (action: ActionContext) => {
    const { api, baseId } = action
    await api.tables.deleteTable({ baseId, tableId: await tableAt(action, action.at) })
  },
  'delete fields': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const fields = await Promise.all(
      action.more.map((place) => fieldAt(action, tableId, place + 1)),
    )
    const fieldIds = [...new Set(fields.map(({ id }) => id))]
    await action.api.fields.deleteFields({ tableId, fieldIds })
  },
  'delete records': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const recordIds = await recordsAt(action, tableId, action.more.toReversed())
    await action.api.records.deleteRecords({ tableId, recordIds })
  },
  'delete view': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const { id: viewId } = await viewAt(action, tableId, action.other)
    await action.api.views.deleteView({ tableId, viewId })
  },
  'delete node': async (action: ActionContext) => {
    const { id: nodeId } = await nodeAt(action, action.at)
    await action.api.tree.deleteNode({ baseId: action.baseId, nodeId })
  },
  restore: async (action: ActionContext) => {
    const entry = at(await listTrashOf(action.api, action.baseId), action.at)
    await action.api.trash.restoreTrash({ trashId: entry.id })
  },
  'purge entry of a table': async (action: ActionContext) => {
    const entries = await listTrashOf(action.api, action.baseId)
    const ofTables = entries.filter(({ place }) => place >= 0)
    await action.api.trash.purgeTrashEntry({ trashId: at(ofTables, action.at).id })
  },
  'create table': async ({ api, baseId, at: place }: ActionContext) => {
    const fields = [{ type: 'singleLineText', name: 'Name' }]
    const records = ['x', 'y'].map((Name) => ({ fields: { Name } }))
    await api.tables.createTable({ baseId, name: at(names, place), fields, records } as never)
  },
  'create node': async (action: ActionContext) => {
    const resourceType = at(['folder', 'dashboard', 'workflow'] as const, action.at)
    const nodes = await action.api.tree.listNodes({ baseId: action.baseId })
    const folders = nodes.filter((node) => node.resourceType === 'folder')
    const parentId = at([null, ...folders.map(({ id }) => id)], action.other)
    const name = `${at(names, action.at)}${resourceType === 'folder' ? action.more.join('') : ''}`
    await action.api.tree.createNode({ baseId: action.baseId, resourceType, name, parentId })
  },
  'move node': async (action: ActionContext) => {
    const { id: nodeId } = await nodeAt(action, action.at)
    const { id: anchorId } = await nodeAt(action, action.other)
    await action.api.tree.moveNode({ baseId: action.baseId, nodeId, anchorId, position: 'before' })
  },
  'rename table': async (action: ActionContext) => {
    const { api, baseId } = action
    const tableId = await tableAt(action, action.at)
    await api.tables.renameTable({ baseId, tableId, name: at(names, action.other) })
  },
  'create view': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const [{ id: one }, { id: two }] = [
      await fieldAt(action, tableId, action.other),
      await fieldAt(action, tableId, action.at),
    ]
    await action.api.views.createView({
      ...{ tableId, type: 'grid', name: at(names, action.other) },
      filter: { conjunction: 'and', filterSet: [{ fieldId: one, operator: 'isNotEmpty' }] },
      sort: { sortObjs: [{ fieldId: two, order: 'desc' }], manualSort: action.other % 2 === 0 },
      group: [{ fieldId: one, order: 'asc' }],
      columnMeta: { [two]: { order: 0.5, hidden: true } },
    } as never)
  },
  'move rows': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const { id: viewId } = await viewAt(action, tableId, action.other)
    const [anchorId = ''] = await recordsAt(action, tableId, [action.other])
    const recordIds = await recordsAt(action, tableId, action.more)
    await action.api.views.moveRows({ tableId, viewId, anchorId, position: 'before', recordIds })
  },
  'create link': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const foreignTableId = await tableAt(action, action.other)
    const relationship = at(relationships, action.at + action.other)
    const options = { relationship, foreignTableId, isOneWay: action.more.includes(2) }
    const name = at(names, action.other)
    await action.api.fields.createField({ tableId, type: 'link', name, options } as never)
  },
  'link records': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const fields = await action.api.fields.listFields({ tableId })
    const { id: fieldId, options } = at(
      fields.filter(({ type, isLookup }) => type === 'link' && !isLookup),
      action.other,
    )
    const { foreignTableId, relationship } = options as Record<string, string>
    const ids = await recordsAt(action, foreignTableId ?? '', action.more)
    const isMany = relationship === 'manyMany' || relationship === 'oneMany'
    const [recordId = ''] = await recordsAt(action, tableId, [action.other])
    const cell = isMany ? ids.map((id) => ({ id })) : { id: ids[0] }
    const record = { fields: { [fieldId]: cell } }
    await action.api.records.updateRecord({
      tableId,
      recordId,
      record,
      fieldKeyType: 'id',
    } as never)
  },
  'convert field': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const { id: fieldId } = await fieldAt(action, tableId, action.other + 1)
    const type = at(['singleLineText', 'number', 'checkbox'], action.at)
    await action.api.fields.convertField({ tableId, fieldId, type } as never)
  },
  'demand of field': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const { id: fieldId, type, options } = await fieldAt(action, tableId, action.other)
    const demand = action.more.includes(1) ? { unique: true } : { notNull: true }
    await action.api.fields.convertField({ tableId, fieldId, type, options, ...demand } as never)
  },
  'read through link': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const fields = await action.api.fields.listFields({ tableId })
    const links = fields.filter(({ type, isLookup }) => type === 'link' && !isLookup)
    const { id: linkFieldId, options } = at(links, action.other)
    const { foreignTableId = '' } = options as Record<string, string>
    const read = await fieldAt(action, foreignTableId, action.other)
    const lookupOptions = { foreignTableId, linkFieldId, lookupFieldId: read.id }
    await action.api.fields.createField({
      ...{ tableId, type: read.type, isLookup: true, lookupOptions },
    } as never)
  },
  'compute from field': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const { id } = await fieldAt(action, tableId, action.other)
    const options = { expression: `{${id}} & "!"` }
    await action.api.fields.createField({ tableId, type: 'formula', options } as never)
  },
  'name by formula': async (action: ActionContext) => {
    const tableId = await tableAt(action, action.at)
    const { id: fieldId } = await fieldAt(action, tableId, 0)
    const { id } = await fieldAt(action, tableId, action.other + 1)
    const options = { expression: `"-" & {${id}}` }
    await action.api.fields.convertField({ tableId, fieldId, type: 'formula', options } as never)
  },
}

const kinds = Object.keys(actions) as (keyof typeof actions)[]

/** Deeds, most of which delete something. */
export const trashActions: fc.Arbitrary<readonly TrashAction[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...kinds) },
      { weight: 1, arbitrary: fc.constantFrom(...kinds.filter((kind) => /^delete/.test(kind))) },
    ),
    at: fc.nat(8),
    other: fc.nat(8),
    more: fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 30, size: 'max' },
)

/** Runs the action, if it can be done. Answers what it was, and what became of it. */
export async function runTrashAction(
  api: Api,
  baseId: string,
  action: TrashAction,
): Promise<string> {
  return actions[action.kind]({ ...action, api, baseId }).then(
    () => action.kind,
    (error: { code?: string; message: string }) => `${action.kind}: ${error.code ?? error.message}`,
  )
}
