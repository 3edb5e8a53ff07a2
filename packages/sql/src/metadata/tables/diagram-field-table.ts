import type { DiagramField } from '@gateleg/domain/schemas/diagram-field'
import { flag, nullableJson } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `fields` that a diagram tells of. */
export const diagramFieldColumns = columnsFor<DiagramField>()({
  id: 'id',
  tableId: 'table_id',
  name: 'name',
  type: 'type',
  options: nullableJson('options'),
  isPrimary: flag('is_primary'),
  isLookup: flag('is_lookup'),
  lookupOptions: nullableJson('lookup_options'),
  hasError: flag('has_error'),
})

/** A living field, as far as a diagram tells of it. */
export type DiagramFieldRow = RowOf<typeof diagramFieldColumns>
