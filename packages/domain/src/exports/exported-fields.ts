import { z } from 'zod'
import { invalidAt } from '../errors.ts'
import { describedAs } from '../input/described-as.ts'
import { limits } from '../limits.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import { sentObject } from '../values/sent-object.ts'
import { changeColumns, columnInput, fieldsInOrder, isShown } from '../views/column-meta.ts'
import type { View } from '../views/view.ts'

/** What a caller says of the columns of an export, over what the view says. */
export const exportedColumnMeta = describedAs(sentObject(limits.fieldsPerTable), () =>
  z.record(z.string(), columnInput),
)

/** Which fields a caller asks for. */
interface AskedFields {
  readonly fieldKeyType: FieldKeyType
  readonly projection?: readonly string[] | undefined
  readonly columnMeta?: z.output<typeof exportedColumnMeta> | undefined
}

/** A table that is exported without a view is shown as a grid that nobody has set anything of. */
const plainGrid = { type: 'grid', columnMeta: {}, options: {} } as const

/**
 * The fields that an export has, in their order: those that the view shows or, where a projection names fields, those.
 * Throws validation_error for a columnMeta that names no field, and where no field is left.
 */
export function exportedFields(
  schema: TableSchema,
  view: View | undefined,
  { fieldKeyType, projection, columnMeta = {} }: AskedFields,
): readonly SchemaField[] {
  const { type, options, columnMeta: ofView } = view ?? plainGrid
  const changes = Object.entries(columnMeta).map(([fieldId, settings]) => {
    const path = ['columnMeta', fieldId.slice(0, limits.idLength)]
    return { fieldId, settings, paths: { fieldId: path, settings: path } }
  })
  const merged = changeColumns({ type, columnMeta: ofView }, changes, schema)
  const columns = { type, options, columnMeta: merged }
  const named = projection && new Set(projection)
  const shown = fieldsInOrder(columns, schema.fields).filter((one) =>
    named ? named.has(one.field[fieldKeyType]) : isShown(columns, one),
  )
  if (shown.length > 0) return shown
  const place = named ? 'projection' : 'viewId'
  throw invalidAt([place], 'must leave a field to export, and shows none')
}
