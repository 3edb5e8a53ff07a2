import { z } from 'zod'
import type { Timestamp } from '../clock.ts'
import { type Filter, filterSchema } from '../fields/filter.ts'
import type { RowOrder } from '../queries/row-order.ts'
import { groupSchema, type SortItem, sortSchema } from '../queries/sort.ts'
import { type ColumnMetas, columnOutput, placesOf } from './column-meta.ts'
import { type SharedAs, shareOutputShape, toShareOutput } from './view-share.ts'
import { type ViewType, viewTypes } from './view-type.ts'

/** In which order a view shows its records. */
export interface ViewSort {
  readonly sortObjs: readonly SortItem[]
  /** Whether the records stay in the order that they had once, instead of being sorted anew. */
  readonly manualSort?: boolean | undefined
}

/** What people set of a view, beside its name. Fields are named by their ids, those of deleted fields among them. */
export interface ViewSettings {
  /** Settings of the kind of view. */
  readonly options: Readonly<Record<string, unknown>>
  /** Null shows all records. */
  readonly filter: Filter | null
  readonly sort: ViewSort | null
  /** By which fields records are grouped, the outermost first. */
  readonly group: readonly SortItem[] | null
  /** By field id; a field without a place stands after those with one, in the table's order. */
  readonly columnMeta: ColumnMetas
}

/** A way of looking at a table. */
export interface View extends ViewSettings {
  readonly id: string
  readonly tableId: string
  readonly name: string
  readonly type: ViewType
  readonly description: string | null
  /** Position among the views of the table; ties are broken by id. */
  readonly order: number
  /** The order that its rows were put into, by hand or once for all; null where there is none. */
  readonly rowOrder: RowOrder | null
  /** A locked view stays as it is until it is unlocked. */
  readonly isLocked: boolean
  readonly createdBy: string
  readonly createdTime: Timestamp
  /** Null until the first change. */
  readonly lastModifiedBy: string | null
  readonly lastModifiedTime: Timestamp | null
  readonly version: number
}

/** What people set of the view. */
export function settingsOf({ options, filter, sort, group, columnMeta }: View): ViewSettings {
  return { options, filter, sort, group, columnMeta }
}

/** The sort of a view, as it is sent and answered. */
export const viewSortSchema = z
  .strictObject({
    sortObjs: sortSchema.describe('By which fields records are sorted, the first one first'),
    manualSort: z
      .boolean()
      .optional()
      .describe('Whether records stay in the order they had once, instead of being sorted anew'),
  })
  .meta({ id: 'ViewSort' })

/** A view as callers see it. */
export const viewOutput = z
  .object({
    id: z.string().describe('The id of the view'),
    name: z.string().describe('Its name'),
    type: z.enum(viewTypes).describe('How it shows the records'),
    description: z.string().optional().describe('What people note about it'),
    order: z.number().describe('Its place among the views of the table'),
    options: z.record(z.string(), z.unknown()).describe('Settings of the kind of view'),
    filter: filterSchema.optional().describe('Which records it shows; all where there is none'),
    sort: viewSortSchema.optional().describe('In which order it shows them'),
    group: groupSchema.optional().describe('By which fields it groups them, the outermost first'),
    columnMeta: z
      .record(z.string(), columnOutput)
      .describe('The place of each field in the view, and how it is shown, by the id of the field'),
    isLocked: z.boolean().describe('Whether it stays as it is until it is unlocked'),
    pluginId: z.string().optional().describe('The plugin that shows it, if one does'),
    ...shareOutputShape,
    createdBy: z.string().describe('The id of the user who made it'),
    createdTime: z.string().describe('When it was made'),
    lastModifiedBy: z.string().optional().describe('The id of the user who changed it last'),
    lastModifiedTime: z.string().optional().describe('When it was last changed'),
  })
  .meta({ id: 'View' })

/** A view as callers see it. */
export type ViewOutput = z.output<typeof viewOutput>

/** The view as callers see it: with a place for every field of the table, and how it is shared, if it ever was. */
export function toViewOutput(
  view: View,
  fieldIds: readonly string[],
  sharedAs?: SharedAs,
): ViewOutput {
  const { id, name, type, description, order, options, filter, sort, group } = view
  const { isLocked, createdBy, createdTime, lastModifiedBy, lastModifiedTime } = view
  return {
    id,
    name,
    type,
    ...(description !== null && { description }),
    order,
    options,
    ...(filter && { filter }),
    ...(sort && { sort: { ...sort, sortObjs: [...sort.sortObjs] } }),
    ...(group && { group: [...group] }),
    columnMeta: placesOf(view, fieldIds),
    isLocked,
    ...(type === 'plugin' && { pluginId: String(options.pluginId) }),
    ...(sharedAs && toShareOutput(type, sharedAs)),
    createdBy,
    createdTime,
    ...(lastModifiedBy !== null && { lastModifiedBy }),
    ...(lastModifiedTime !== null && { lastModifiedTime }),
  }
}
