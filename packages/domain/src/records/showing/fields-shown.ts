import type { Cell } from '../../fields/cell.ts'
import { typeOf } from '../../fields/field-values.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import { jsonTextBytes } from '../../values/json/json-bytes.ts'
import { type FileShape, fileNamesShown, filesShown } from './files-shown.ts'

/** Which fields are shown, and how those of files are. */
interface FieldsShape extends FileShape {
  readonly fieldKeyType: FieldKeyType
  /** The keys of the fields to show; undefined for all of them. */
  readonly projection?: ReadonlySet<string> | undefined
}

/** A field as an answer shows it. */
export interface FieldShown {
  readonly schemaField: SchemaField
  /** The name of the member that has its values. */
  readonly key: string
  /** The bytes of that name as JSON. */
  readonly keyBytes: number
  /** See `filesShown`. */
  readonly toFiles?: ((cell: Cell, recordId: string) => Cell) | undefined
  /** See `fileNamesShown`. */
  readonly toNames?: ((cell: Cell) => string) | undefined
}

/** The fields of a schema by their kind of key: the same for all who ask, and asked for with each record that is read. */
const fieldsOfSchema = new WeakMap<TableSchema, Map<FieldKeyType, readonly FieldShown[]>>()

/** The fields of the schema that the shape shows, in their order. */
export function fieldsShown(schema: TableSchema, shape: FieldsShape): readonly FieldShown[] {
  const { projection } = shape
  const all = fieldsBy(schema, shape.fieldKeyType)
  const shown = projection ? all.filter(({ key }) => projection.has(key)) : all
  if (!shown.some(hasFiles)) return shown
  return shown.map((field) =>
    hasFiles(field)
      ? {
          ...field,
          toFiles: filesShown(schema, field.schemaField, shape),
          toNames: fileNamesShown(field.schemaField, shape),
        }
      : field,
  )
}

function fieldsBy(schema: TableSchema, keyType: FieldKeyType): readonly FieldShown[] {
  let byKeyType = fieldsOfSchema.get(schema)
  if (!byKeyType) {
    byKeyType = new Map()
    fieldsOfSchema.set(schema, byKeyType)
  }
  let fields = byKeyType.get(keyType)
  if (!fields) {
    fields = schema.fields.map((schemaField) => {
      const key = schemaField.field[keyType]
      return { schemaField, key, keyBytes: jsonTextBytes(key) }
    })
    byKeyType.set(keyType, fields)
  }
  return fields
}

function hasFiles({ schemaField: { field } }: FieldShown): boolean {
  return typeOf(field).files !== undefined
}
