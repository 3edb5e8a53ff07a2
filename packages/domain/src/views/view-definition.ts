import { z } from 'zod'
import type { Issue } from '../errors.ts'
import { filterSchema } from '../fields/filter.ts'
import { describedAs } from '../input/described-as.ts'
import { undocumented } from '../input/not-yet.ts'
import { limits } from '../limits.ts'
import { groupSchema } from '../queries/sort.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { CallContext } from '../use-case.ts'
import { descriptionSchema, nameSchema } from '../values/names.ts'
import { sentObject } from '../values/sent-object.ts'
import { changeColumns, columnInput, firstColumns } from './column-meta.ts'
import { type View, viewSortSchema } from './view.ts'
import { changeOptions, viewOptionsInput } from './view-options.ts'
import { requireFields, toViewFilter } from './view-query.ts'
import { viewTypes } from './view-type.ts'

const sharedLater = 'must be left out: a view is shared once it is made'

/** Of how a view is shared, which is refused rather than passed over: who sends it may take the view for shared. */
const ofShare = z.undefined(sharedLater).optional().meta(undocumented)

/** What a caller says about a view to be made; what is left out isn't set. */
export const viewDefinitionSchema = z.object({
  name: nameSchema.optional(),
  type: z.enum(viewTypes).exclude(['plugin']).describe('How it shows the records'),
  description: descriptionSchema.optional(),
  order: z
    .number()
    .min(-limits.viewOrder)
    .max(limits.viewOrder)
    .optional()
    .describe('Its place among the views; the last one if left out'),
  options: viewOptionsInput.optional(),
  filter: filterSchema.nullable().optional().describe('Which records it shows'),
  sort: viewSortSchema.nullable().optional().describe('In which order it shows them'),
  group: groupSchema.nullable().optional().describe('By which fields it groups them'),
  columnMeta: describedAs(sentObject(limits.fieldsPerTable), () =>
    z.record(z.string(), columnInput),
  )
    .optional()
    .describe('How it shows the fields, by their ids'),
  isLocked: z.boolean().optional().describe('Whether it is locked from the beginning'),
  enableShare: z
    .literal(false, sharedLater)
    .optional()
    .describe('Left out: a view is shared once it is made'),
  shareId: ofShare,
  shareMeta: ofShare,
})

/** What a caller says about a view to be made. */
export type ViewDefinition = z.output<typeof viewDefinitionSchema>

/** What a view is called whose maker gives it no name. */
export const defaultViewName = 'New view'

/** Where a new view stands: under which name, and after which others. */
interface ViewPlace {
  readonly schema: TableSchema
  readonly name: string
  readonly order: number
}

/**
 * A new view of the table. Throws validation_error for settings that don't fit the kind of view or the fields of the
 * table; the path says where the input defines it.
 */
export function toNewView(
  { userId, now, ids }: Pick<CallContext, 'now' | 'ids'> & { readonly userId: string },
  definition: ViewDefinition,
  { schema, name, order }: ViewPlace,
  path: Issue['path'] = [],
): View {
  const { type, description = null, options, filter, sort, group, columnMeta = {} } = definition
  if (sort) requireFields(sort.sortObjs, schema, [...path, 'sort', 'sortObjs'])
  if (group) requireFields(group, schema, [...path, 'group'])
  const changes = Object.entries(columnMeta).map(([fieldId, settings]) => {
    // What is no id of a field may be any text.
    const place = [...path, 'columnMeta', fieldId.slice(0, limits.idLength)]
    return { fieldId, settings, paths: { fieldId: place, settings: place } }
  })
  const empty = { type, options: {}, columnMeta: firstColumns(type, schema) }
  return {
    id: ids.next('view'),
    tableId: schema.tableId,
    name,
    type,
    description,
    order: definition.order ?? order,
    options: options ? changeOptions(empty, options, schema, [...path, 'options']) : {},
    filter: filter ? toViewFilter(filter, { schema, userId, now }, [...path, 'filter']) : null,
    sort: sort ?? null,
    group: group ?? null,
    columnMeta: changeColumns(empty, changes, schema),
    rowOrder: null,
    isLocked: definition.isLocked ?? false,
    createdBy: userId,
    createdTime: now,
    lastModifiedBy: null,
    lastModifiedTime: null,
    version: 1,
  }
}
