import type { z } from 'zod'
import type { FieldTypeName } from '../../fields/field-type-name.ts'
import type { ViewType } from '../../views/view-type.ts'

/**
 * One kind of node, by what it takes. What names something of the base has the same name in every kind: `tableId`, and
 * of that table `viewId`, `fieldId`, `watchFieldIds`, `filter`, `sort` and, by the ids of fields, `fields`.
 */
export interface NodeType {
  /** What a node of the kind must have before it can run; while it is drafted, any member may be missing. */
  readonly config: z.ZodObject
  /** What kind of view `viewId` must name, where not every one will do. */
  readonly viewType?: ViewType
  /** What type of field `fieldId` must name, where not every one will do. */
  readonly fieldType?: FieldTypeName
}
