import type { Base } from '../../bases/base.ts'
import { waitForPending } from '../../calculations/wait-for-pending.ts'
import { linkAbilityOf } from '../../fields/link-of.ts'
import { renewTargets } from '../../fields/operations/make-links.ts'
import { requireConverted } from '../../fields/operations/require-converted.ts'
import { limits } from '../../limits.ts'
import { copyRecords } from '../../records/writing/copy-records.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import { settingsOf, type View } from '../../views/view.ts'
import type { Table } from '../table.ts'
import type { TableContext } from '../table-context.ts'
import { copyFields, renameIds } from './copy-fields.ts'
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
  const { fields, idByOriginal } = copyFields(originals, copy, () => ids.next('field'))
  const views = (await tx.views.listOf(original.id)).map(
    (view): View => ({
      ...view,
      ...made,
      id: ids.next('view'),
      tableId: copy.id,
      rowOrder: null,
      lastModifiedBy: null,
      lastModifiedTime: null,
      ...renameIds(settingsOf(view), idByOriginal),
    }),
  )
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
  if (includeRecords) await copyRecords(context, graph, schema, copy.id)
  await waitForPending(context, graph, { tableId: copy.id, fieldIds: fields.map(({ id }) => id) })
  return (await graph.get(copy.id)).table
}
