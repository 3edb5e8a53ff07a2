import { z } from 'zod'
import { groupSchema, type SortItem } from '../queries/sort.ts'
import type { SchemaField, TableSchema } from '../schemas/table-schema.ts'
import { columnOutput, fieldsInOrder } from '../views/column-meta.ts'
import { type View, viewSortSchema } from '../views/view.ts'
import { withFieldsOnly } from '../views/view-options.ts'
import { viewTypes } from '../views/view-type.ts'

/** A view as visitors of its share see it: what it asks of records, and other fields, are not told. */
export const sharedViewOutput = z
  .object({
    id: z.string().describe('The id of the view'),
    name: z.string().describe('Its name'),
    type: z.enum(viewTypes).describe('How it shows the records'),
    description: z.string().optional().describe('What people note about it'),
    options: z.record(z.string(), z.unknown()).describe('Settings of the kind of view'),
    sort: viewSortSchema.optional().describe('By which of the fields it sorts the records'),
    group: groupSchema.optional().describe('By which of the fields it groups them'),
    columnMeta: z
      .record(z.string(), columnOutput)
      .describe('The place of each field, from 0, and how it is shown, by the id of the field'),
  })
  .meta({ id: 'SharedView' })

/** The fields of the share in the order of its view. */
export function sharedFields(view: View, shown: TableSchema): readonly SchemaField[] {
  return fieldsInOrder(view, shown.fields)
}

/** The view as visitors see it, with the fields alone that are shown. */
export function toSharedView(view: View, shown: TableSchema): z.output<typeof sharedViewOutput> {
  const { id, name, type, description, sort, group } = view
  const isNamed = ({ fieldId }: SortItem) => shown.byKey.id.has(fieldId)
  const sortObjs = sort?.sortObjs.filter(isNamed) ?? []
  const groups = group?.filter(isNamed) ?? []
  const columns = sharedFields(view, shown).map(({ field }, place) => {
    // The places of other fields would tell how many there are.
    return [field.id, { ...view.columnMeta[field.id], order: place }] as const
  })
  return {
    id,
    name,
    type,
    ...(description !== null && { description }),
    options: withFieldsOnly(view.options, (fieldId) => shown.byKey.id.has(fieldId)),
    ...(sortObjs.length > 0 && {
      sort: { sortObjs, ...(sort?.manualSort && { manualSort: true }) },
    }),
    ...(groups.length > 0 && { group: groups }),
    columnMeta: Object.fromEntries(columns),
  }
}
