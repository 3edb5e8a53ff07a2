import { z } from 'zod'
import { invalidAt } from '../errors.ts'
import { idSchema } from '../ids.ts'
import { limits } from '../limits.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import { type ColumnMetas, fieldsInOrder, isShown } from '../views/column-meta.ts'
import type { View } from '../views/view.ts'

/** What a caller says of the columns of an export, over what the view says. */
export const exportedColumnMeta = z
  .record(
    idSchema,
    z.strictObject({
      order: z.number().optional().describe('Its place among the fields'),
      hidden: z.boolean().optional().describe('Whether a grid hides it'),
      visible: z.boolean().optional().describe('Whether any other kind of view shows it'),
      width: z.number().optional().describe('Passed over: a text has no widths'),
      required: z.boolean().optional().describe('Passed over'),
      statisticFunc: z
        .string()
        .max(limits.shortTextLength)
        .nullable()
        .optional()
        .describe('Passed over'),
    }),
  )
  .refine((columns) => Object.keys(columns).length <= limits.fieldsPerTable, {
    error: `must name ${limits.fieldsPerTable} fields at most`,
  })

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
  for (const id of Object.keys(columnMeta)) {
    if (!schema.byKey.id.has(id)) {
      throw invalidAt(['columnMeta', id], 'must be the id of a field of the table')
    }
  }
  const { type, options, columnMeta: ofView } = view ?? plainGrid
  const merged: Record<string, ColumnMetas[string]> = { ...ofView }
  for (const [id, { order, hidden, visible }] of Object.entries(columnMeta)) {
    merged[id] = {
      ...merged[id],
      ...(order !== undefined && { order }),
      ...(hidden !== undefined && { hidden }),
      ...(visible !== undefined && { visible }),
    }
  }
  const columns = { type, options, columnMeta: merged }
  const named = projection && new Set(projection)
  const shown = fieldsInOrder(columns, schema.fields).filter((one) =>
    named ? named.has(one.field[fieldKeyType]) : isShown(columns, one),
  )
  if (shown.length > 0) return shown
  const place = named ? 'projection' : 'viewId'
  throw invalidAt([place], 'must leave a field to export, and shows none')
}
