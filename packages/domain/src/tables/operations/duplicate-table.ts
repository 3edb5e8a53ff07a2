import type { Base } from '../../bases/base.ts'
import { waitForPending } from '../../calculations/wait-for-pending.ts'
import type { Field } from '../../fields/field.ts'
import { linkAbilityOf } from '../../fields/link-of.ts'
import { renewTargets } from '../../fields/operations/make-links.ts'
import { requireConverted } from '../../fields/operations/require-converted.ts'
import { limits } from '../../limits.ts'
import { copyRecords } from '../../records/writing/copy-records.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import { settingsOf, type View, type ViewSettings } from '../../views/view.ts'
import type { Table } from '../table.ts'
import type { TableContext } from '../table-context.ts'
import { copyFields, renameIds } from './copy-fields.ts'
import { type CopiedNames, limitedToCopies, withCopiedRecords } from './copy-filters.ts'
import { freeTableNames } from './free-table-names.ts'

/** What a copy of a table is called, and whether it takes the records along. */
export interface CopyOptions {
  readonly name?: string | undefined
  readonly includeRecords: boolean
}

/**
 * Copies a table with its fields and views into the same base, which must be held for update; all but
 * its node.
 */
export async function duplicateTable(
  context: TableContext,
  base: Base,
  original: Table,
  { name = original.name, includeRecords }: CopyOptions,
): Promise<Table> {
  const { tx, now, userId, ids } = context
  const made = { createdBy: userId, createdTime: now, version: 1 }
  const copy: Table = {
    ...original,
    ...made,
    ...(await freeTableNames(tx, base, { name })),
    id: ids.next('table'),
    schemaTag: ids.revision(),
    lastModifiedTime: now,
  }
  const schema = await tx.fields.schemaOf(original)
  const originals = schema.fields.map(({ field }) => field)
  if (includeRecords) {
    requireConverted(originals, 'duplicate the table')
    if ((await tx.recordScanner.lastNumber(schema)) > limits.recordsWrittenAtOnce) tx.becomeLong()
  }
  const recordIds = new Map<string, string>()
  const { fields, views } = await copySettings(context, original, copy, (originalId) => {
    // Without their records, filters go on naming those of the original, of which none is here.
    if (!includeRecords) return originalId
    const known = recordIds.get(originalId) ?? ids.next('record')
    recordIds.set(originalId, known)
    return known
  })
  await tx.tables.insert(copy, fields)
  for (const field of fields) {
    const link = linkAbilityOf(field)
    const end = link?.endOf(field.options)
    if (end?.isMaker) await tx.links.create(end)
  }
  const graph = new SchemaGraph(tx, 'update')
  await graph.put(copy)
  await renewTargets(context, graph, copy.id, fields)
  await tx.views.insert(views)
  tx.emit({ name: 'table.created', time: now, userId, payload: { tableId: copy.id } })
  if (includeRecords) await copyRecords(context, graph, schema, { id: copy.id, recordIds })
  await waitForPending(context, graph, { tableId: copy.id, fieldIds: fields.map(({ id }) => id) })
  return (await graph.get(copy.id)).table
}

/** The fields and views of the copy, which name one another, and the records that the copy gets. */
async function copySettings(
  { tx, ids }: TableContext,
  original: Table,
  copy: Table,
  recordId: CopiedNames['recordId'],
): Promise<{ readonly fields: readonly Field[]; readonly views: readonly View[] }> {
  const originals = (await tx.fields.schemaOf(original)).fields.map(({ field }) => field)
  const originalViews = await tx.views.listOf(original.id)
  const copied = copyFields(originals, copy, () => ids.next('field'))
  const viewIds = new Map(originalViews.map(({ id }) => [id, ids.next('view')]))
  const names: CopiedNames = { viewIds, recordId }
  const fields = limitedToCopies(copied.fields, names)
  const fieldsById = new Map(fields.map((field) => [field.id, field]))
  const views = originalViews.map((view): View => {
    const settings = thawed(renameIds(settingsOf(view), copied.idByOriginal), view)
    const { filter } = settings
    return {
      ...view,
      id: viewIds.get(view.id) ?? '',
      tableId: copy.id,
      rowOrder: null,
      createdBy: copy.createdBy,
      createdTime: copy.createdTime,
      version: 1,
      lastModifiedBy: null,
      lastModifiedTime: null,
      ...settings,
      filter: filter && withCopiedRecords(filter, fieldsById, names),
    }
  })
  return { fields, views }
}

/** A row order names records of the original: what it kept in the order of a sort is sorted by that in the copy. */
function thawed(settings: ViewSettings, { rowOrder }: View): ViewSettings {
  const { sort } = settings
  return rowOrder && sort ? { ...settings, sort: { sortObjs: sort.sortObjs } } : settings
}
