import type { Base } from '../bases/base.ts'
import type { Field } from '../fields/field.ts'
import { copyRecords } from '../records/copy-records.ts'
import type { View } from '../views/view.ts'
import { freeTableNames } from './free-table-names.ts'
import type { Table } from './table.ts'
import type { TableContext } from './table-context.ts'

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
  const idByOriginal = new Map(schema.fields.map(({ field }) => [field.id, ids.next('field')]))
  const fields = schema.fields.map(
    ({ field }): Field => ({
      ...field,
      ...made,
      id: idByOriginal.get(field.id) ?? '',
      tableId: copy.id,
      options: renameIds(field.options, idByOriginal),
      aiConfig: renameIds(field.aiConfig, idByOriginal),
    }),
  )
  const views = (await tx.views.listOf(original.id)).map(
    (view): View => ({
      ...view,
      ...made,
      id: ids.next('view'),
      tableId: copy.id,
      columnMeta: renameIds(view.columnMeta, idByOriginal),
    }),
  )
  await tx.tables.insert(copy, fields)
  await tx.views.insert(views)
  if (includeRecords) await copyRecords(context, schema, await tx.fields.schemaOf(copy))
  tx.emit({ name: 'table.created', time: now, userId, payload: { tableId: copy.id } })
  return copy
}

/** The settings with every id of an original in the place of its copy's. */
function renameIds<T>(settings: T, idByOriginal: ReadonlyMap<string, string>): T {
  const json = JSON.stringify(settings)
  return JSON.parse(json.replace(/fld[0-9a-zA-Z]{16}/g, (id) => idByOriginal.get(id) ?? id)) as T
}
