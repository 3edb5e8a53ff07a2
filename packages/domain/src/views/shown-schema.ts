import type { FieldKeyType, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import { isShown } from './column-meta.ts'
import type { View } from './view.ts'

/** What is shown of a table: its view, with the fields that it doesn't show or without them. */
export interface ShownView {
  readonly view: View
  readonly includesHidden: boolean
}

/**
 * The table as though it had the fields alone that are shown: no other can be named, nor tells anything. A record has no
 * name where the primary field isn't among them. For reading: its `columns` are those that there is a need to read.
 */
export function shownSchema(schema: TableSchema, { view, includesHidden }: ShownView): TableSchema {
  if (includesHidden) return schema
  const shown = new Set(schema.fields.filter((field) => isShown(view, field)))
  if (shown.size === schema.fields.length) return schema
  const { primary, byKey } = schema
  return {
    ...schema,
    fields: [...shown],
    columns: schema.columns.filter((field) => shown.has(field)),
    primary: shown.has(primary) ? primary : withoutCells(primary),
    byKey: {
      name: onlyIn(shown, byKey.name),
      id: onlyIn(shown, byKey.id),
      dbFieldName: onlyIn(shown, byKey.dbFieldName),
    },
  }
}

function onlyIn(
  shown: ReadonlySet<SchemaField>,
  byKey: TableSchema['byKey'][FieldKeyType],
): TableSchema['byKey'][FieldKeyType] {
  return new Map([...byKey].filter(([, field]) => shown.has(field)))
}

function withoutCells(field: SchemaField): SchemaField {
  return { ...field, column: undefined, systemColumn: undefined }
}
