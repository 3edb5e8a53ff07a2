import { cellLength } from '../../fields/cells/cell-length.ts'
import type { Condition } from '../../queries/condition.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/** Steps of computing (see limits.formulaSteps) that asking the condition of a record takes, roughly, at most. */
export function conditionSteps(condition: Condition, record: StoredRecord): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.reduce((sum, one) => sum + conditionSteps(one, record), 1)
    case 'not':
      return 1 + conditionSteps(condition.condition, record)
    case 'compared':
    case 'shared':
      return lengthOf(condition.field, record) + lengthOf(condition.other, record)
    case 'group':
      return lengthOf(condition.field, record) + condition.values.length
    case 'some': {
      const { field, test } = condition
      const asked = test.kind === 'oneOf' ? test.values.length : 1
      return lengthOf(field, record) + countOf(field, record) * asked
    }
    case 'every': {
      const { field, values } = condition
      return lengthOf(field, record) + countOf(field, record) * values.length
    }
    case 'shows':
      return condition.fields.reduce((sum, field) => sum + lengthOf(field, record), 1)
    case 'ids':
      return 1 + condition.ids.length
    case 'empty':
    case 'linked':
      return 1
  }
}

function lengthOf(field: SchemaField, record: StoredRecord): number {
  const cell = cellOf(field, record)
  return cell === null ? 1 : 1 + cellLength(cell)
}

function countOf(field: SchemaField, record: StoredRecord): number {
  const cell = cellOf(field, record)
  return Array.isArray(cell) ? cell.length : 1
}
