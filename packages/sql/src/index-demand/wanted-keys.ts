import { type IndexPart, toIndexKey } from '@gateleg/domain/indexes/table-index'
import type { Condition } from '@gateleg/domain/queries/condition'
import { hasOwnIdentity } from '@gateleg/domain/queries/group-identity'
import type { RecordQuery } from '@gateleg/domain/queries/record-query'
import { type SortKey, sortTextLength } from '@gateleg/domain/queries/sort-keys'
import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'

/** Fields of a filter for which a query wants an index: one is used, and which one the engine knows. */
const filterFieldsMost = 2

/** The key of the index that has records in the order of the keys; undefined where none can. */
export function sortIndexKey(
  { keys, rowOrder }: Pick<RecordQuery, 'keys' | 'rowOrder'>,
  dialect: SqlDialect,
): string | undefined {
  if (keys.length === 0 || rowOrder) return undefined
  if (!keys.every((key) => canOrder(key, dialect))) return undefined
  return toIndexKey(keys.map((key) => sortPart(key, keys)))
}

function sortPart(key: SortKey, keys: readonly SortKey[]): IndexPart {
  const { field, isDescending } = key
  const fieldId = field.field.id
  if (isOrderedAsIs(key)) return { fieldId, kind: 'value', length: 0, isDescending }
  return { fieldId, kind: 'sort', length: sortTextLength(key, keys), isDescending }
}

/** Whether what is stored orders records, and nothing that is made of it. */
export function isOrderedAsIs({ field }: SortKey): boolean {
  return field.rules.form.item.kind === 'number' && isPlainColumn(field)
}

function canOrder({ field, isGroup = false }: SortKey, dialect: SqlDialect): boolean {
  const { form } = field.rules
  if (!isPlainColumn(field) || (isGroup && hasOwnIdentity(form))) return false
  switch (form.item.kind) {
    case 'number':
    case 'text':
      return true
    case 'date':
      return dialect.tables.indexes.localTexts && form.item.formatting.timeZone === 'UTC'
    default:
      // Choices go by places that change, people by names that lie elsewhere.
      return false
  }
}

function isPlainColumn({ field, column, rules }: SchemaField): boolean {
  return !field.hasError && column !== undefined && column.type !== 'JSON' && !rules.form.isList
}

/** The keys of indexes that help a filter, or to count the records of each group by the fields. */
export function valueIndexKeys(
  condition: Condition,
  groupFields: readonly SchemaField[],
  dialect: SqlDialect,
): readonly string[] {
  const counted = dialect.tables.indexes.areReadAlone ? groupFields : []
  const fields = [...new Set([...counted, ...comparedFields(condition)])]
  return fields
    .filter((field) => canCompare(field, dialect))
    .slice(0, filterFieldsMost)
    .map(({ field: { id: fieldId } }) =>
      toIndexKey([{ fieldId, kind: 'value', length: 0, isDescending: false }]),
    )
}

/** The fields with whose values alone the records are found that the condition may hold for. */
function comparedFields(condition: Condition): readonly SchemaField[] {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.flatMap(comparedFields)
    case 'some':
      return condition.test.kind === 'contains' ? [] : [condition.field]
    case 'empty':
      return [condition.field]
    default:
      return []
  }
}

function canCompare(field: SchemaField, { tables }: SqlDialect): boolean {
  if (!isPlainColumn(field)) return false
  const { kind } = field.rules.form.item
  if (kind === 'number' || kind === 'date' || kind === 'choice' || kind === 'user') return true
  return kind === 'text' && tables.indexes.longTexts
}
