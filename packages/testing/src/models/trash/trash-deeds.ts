import type { Api } from '@gateleg/domain/api'
import { relationships } from '@gateleg/domain/fields/link-end'
import fc from 'fast-check'
import { listTrashOf } from '../../observations/trash-of-base.ts'

/** Something that is done to a base, and numbers that say to which of its things, counted round. */
export interface TrashDeed {
  readonly kind: keyof typeof deeds
  readonly at: number
  readonly other: number
  readonly more: readonly number[]
}

interface DeedContext extends TrashDeed {
  readonly api: Api
  readonly baseId: string
}

const names = ['Name', 'A', 'B', 'New table', 'Sum']

/** The one of the things at a place, counted round. */
function at<T>(things: readonly T[], place: number): T {
  if (things.length === 0) throw new Error('there is none')
  return things[place % things.length] as T
}

const tableAt = async ({ api, baseId }: DeedContext, place: number) =>
  at(await api.tables.listTables({ baseId }), place).id

const recordsAt = async ({ api }: DeedContext, tableId: string, places: readonly number[]) => {
  const { records } = await api.records.listRecords({ tableId, take: 20 })
  return [...new Set(places.map((place) => at(records, place).id))]
}

const fieldAt = async ({ api }: DeedContext, tableId: string, place: number) =>
  at(await api.fields.listFields({ tableId }), place)

const nodeAt = async ({ api, baseId }: DeedContext, place: number) =>
  at(await api.tree.listNodes({ baseId }), place)

const viewAt = async ({ api }: DeedContext, tableId: string, place: number) =>
  at(await api.views.listViews({ tableId }), place)

/** What can be done to a base such that its trash differs afterwards, or what comes back from there. */
const deeds = {
  'delete table': async (deed: DeedContext) => {
    const { api, baseId } = deed
    await api.tables.deleteTable({ baseId, tableId: await tableAt(deed, deed.at) })
  },
  'delete fields': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const fields = await Promise.all(deed.more.map((place) => fieldAt(deed, tableId, place + 1)))
    const fieldIds = [...new Set(fields.map(({ id }) => id))]
    await deed.api.fields.deleteFields({ tableId, fieldIds })
  },
  'delete records': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const recordIds = await recordsAt(deed, tableId, deed.more.toReversed())
    await deed.api.records.deleteRecords({ tableId, recordIds })
  },
  'delete view': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const { id: viewId } = await viewAt(deed, tableId, deed.other)
    await deed.api.views.deleteView({ tableId, viewId })
  },
  'delete node': async (deed: DeedContext) => {
    const { id: nodeId } = await nodeAt(deed, deed.at)
    await deed.api.tree.deleteNode({ baseId: deed.baseId, nodeId })
  },
  restore: async (deed: DeedContext) => {
    const entry = at(await listTrashOf(deed.api, deed.baseId), deed.at)
    await deed.api.trash.restoreTrash({ trashId: entry.id })
  },
  'purge entry of a table': async (deed: DeedContext) => {
    const entries = await listTrashOf(deed.api, deed.baseId)
    const ofTables = entries.filter(({ place }) => place >= 0)
    await deed.api.trash.purgeTrashEntry({ trashId: at(ofTables, deed.at).id })
  },
  'create table': async ({ api, baseId, at: place }: DeedContext) => {
    const fields = [{ type: 'singleLineText', name: 'Name' }]
    const records = ['x', 'y'].map((Name) => ({ fields: { Name } }))
    await api.tables.createTable({ baseId, name: at(names, place), fields, records } as never)
  },
  'create node': async (deed: DeedContext) => {
    const resourceType = at(['folder', 'dashboard', 'workflow'] as const, deed.at)
    const nodes = await deed.api.tree.listNodes({ baseId: deed.baseId })
    const folders = nodes.filter((node) => node.resourceType === 'folder')
    const parentId = at([null, ...folders.map(({ id }) => id)], deed.other)
    const name = `${at(names, deed.at)}${resourceType === 'folder' ? deed.more.join('') : ''}`
    await deed.api.tree.createNode({ baseId: deed.baseId, resourceType, name, parentId })
  },
  'move node': async (deed: DeedContext) => {
    const { id: nodeId } = await nodeAt(deed, deed.at)
    const { id: anchorId } = await nodeAt(deed, deed.other)
    await deed.api.tree.moveNode({ baseId: deed.baseId, nodeId, anchorId, position: 'before' })
  },
  'rename table': async (deed: DeedContext) => {
    const { api, baseId } = deed
    const tableId = await tableAt(deed, deed.at)
    await api.tables.renameTable({ baseId, tableId, name: at(names, deed.other) })
  },
  'create view': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const [{ id: one }, { id: two }] = [
      await fieldAt(deed, tableId, deed.other),
      await fieldAt(deed, tableId, deed.at),
    ]
    await deed.api.views.createView({
      ...{ tableId, type: 'grid', name: at(names, deed.other) },
      filter: { conjunction: 'and', filterSet: [{ fieldId: one, operator: 'isNotEmpty' }] },
      sort: { sortObjs: [{ fieldId: two, order: 'desc' }], manualSort: deed.other % 2 === 0 },
      group: [{ fieldId: one, order: 'asc' }],
      columnMeta: { [two]: { order: 0.5, hidden: true } },
    } as never)
  },
  'move rows': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const { id: viewId } = await viewAt(deed, tableId, deed.other)
    const [anchorId = ''] = await recordsAt(deed, tableId, [deed.other])
    const recordIds = await recordsAt(deed, tableId, deed.more)
    await deed.api.views.moveRows({ tableId, viewId, anchorId, position: 'before', recordIds })
  },
  'create link': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const foreignTableId = await tableAt(deed, deed.other)
    const relationship = at(relationships, deed.at + deed.other)
    const options = { relationship, foreignTableId, isOneWay: deed.more.includes(2) }
    const name = at(names, deed.other)
    await deed.api.fields.createField({ tableId, type: 'link', name, options } as never)
  },
  'link records': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const fields = await deed.api.fields.listFields({ tableId })
    const { id: fieldId, options } = at(
      fields.filter(({ type, isLookup }) => type === 'link' && !isLookup),
      deed.other,
    )
    const { foreignTableId, relationship } = options as Record<string, string>
    const ids = await recordsAt(deed, foreignTableId ?? '', deed.more)
    const isMany = relationship === 'manyMany' || relationship === 'oneMany'
    const [recordId = ''] = await recordsAt(deed, tableId, [deed.other])
    const cell = isMany ? ids.map((id) => ({ id })) : { id: ids[0] }
    const record = { fields: { [fieldId]: cell } }
    await deed.api.records.updateRecord({ tableId, recordId, record, fieldKeyType: 'id' } as never)
  },
  'convert field': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const { id: fieldId } = await fieldAt(deed, tableId, deed.other + 1)
    const type = at(['singleLineText', 'number', 'checkbox'], deed.at)
    await deed.api.fields.convertField({ tableId, fieldId, type } as never)
  },
  'demand of field': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const { id: fieldId, type, options } = await fieldAt(deed, tableId, deed.other)
    const demand = deed.more.includes(1) ? { unique: true } : { notNull: true }
    await deed.api.fields.convertField({ tableId, fieldId, type, options, ...demand } as never)
  },
  'read through link': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const fields = await deed.api.fields.listFields({ tableId })
    const links = fields.filter(({ type, isLookup }) => type === 'link' && !isLookup)
    const { id: linkFieldId, options } = at(links, deed.other)
    const { foreignTableId = '' } = options as Record<string, string>
    const read = await fieldAt(deed, foreignTableId, deed.other)
    const lookupOptions = { foreignTableId, linkFieldId, lookupFieldId: read.id }
    await deed.api.fields.createField({
      ...{ tableId, type: read.type, isLookup: true, lookupOptions },
    } as never)
  },
  'compute from field': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const { id } = await fieldAt(deed, tableId, deed.other)
    const options = { expression: `{${id}} & "!"` }
    await deed.api.fields.createField({ tableId, type: 'formula', options } as never)
  },
  'name by formula': async (deed: DeedContext) => {
    const tableId = await tableAt(deed, deed.at)
    const { id: fieldId } = await fieldAt(deed, tableId, 0)
    const { id } = await fieldAt(deed, tableId, deed.other + 1)
    const options = { expression: `"-" & {${id}}` }
    await deed.api.fields.convertField({ tableId, fieldId, type: 'formula', options } as never)
  },
}

const kinds = Object.keys(deeds) as (keyof typeof deeds)[]

/** Deeds, most of which delete something. */
export const trashDeeds: fc.Arbitrary<readonly TrashDeed[]> = fc.array(
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

/** Does the deed, if it can be done. Answers what it was, and what became of it. */
export async function doDeed(api: Api, baseId: string, deed: TrashDeed): Promise<string> {
  return deeds[deed.kind]({ ...deed, api, baseId }).then(
    () => deed.kind,
    (error: { code?: string; message: string }) => `${deed.kind}: ${error.code ?? error.message}`,
  )
}
