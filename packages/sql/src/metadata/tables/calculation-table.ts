import type { PendingField } from '@gateleg/domain/calculations/pending/calculation-repository'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `calculations`. */
export const calculationColumns = columnsFor<PendingField>()({
  fieldId: 'field_id',
  tableId: 'table_id',
  after: 'after_number',
  until: 'until_number',
})

/** A row of `calculations`. */
export type CalculationRow = RowOf<typeof calculationColumns>
