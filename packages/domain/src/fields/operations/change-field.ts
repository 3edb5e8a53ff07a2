import type { TableContext } from '../../tables/table-context.ts'
import { columnNameOf } from '../column-name.ts'
import type { Field } from '../field.ts'
import { requireOptionsRoom } from './definition/options-room.ts'
import type { FieldScope } from './field-guard.ts'
import { requireFree } from './require-free.ts'

/** What can be changed of a field without touching its cells. */
export type FieldChanges = Partial<Pick<Field, 'name' | 'description' | 'dbFieldName'>>

/** Renames a field or its column, or describes it, in a table that is held for update. What is equal is no change. */
export async function changeField(
  context: TableContext & FieldScope,
  changes: FieldChanges,
): Promise<void> {
  const { tx, table, schema, field, userId, now, ids } = context
  const { name = field.name, dbFieldName = field.dbFieldName } = changes
  const { description = field.description } = changes
  requireFree(context, 'name', name)
  requireFree(context, 'dbFieldName', dbFieldName)
  const isRenamed = name !== field.name || dbFieldName !== field.dbFieldName
  if (!isRenamed && description === field.description) return
  const { columnNames } = await tx.fields.takenColumnNames(table.id)
  const columnName =
    field.columnName === null ? null : columnNameOf(field, dbFieldName, columnNames)
  const after = { ...field, name, description, dbFieldName, columnName }
  requireOptionsRoom(schema, field, after, 'description')
  await tx.fields.update(table, field, after)
  await tx.tables.changeSchema(table.id, ids.revision(), now)
  context.undo?.noteChange({ kind: 'field', fieldId: field.id }, field, {
    name,
    description,
    dbFieldName,
  })
  const payload = { tableId: table.id, fieldId: field.id }
  tx.emit({ name: 'field.updated', time: now, userId, payload })
}
