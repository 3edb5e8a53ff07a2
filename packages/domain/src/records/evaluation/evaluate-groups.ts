import type { People } from '../../fields/cell.ts'
import type { Condition } from '../../queries/condition.ts'
import { groupIdentityOf } from '../../queries/group-identity.ts'
import type { SortValue } from '../../queries/sort-value.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { meetsCondition } from './meets-condition.ts'

/** A group, and its records in the order in which they were given. */
interface EvaluatedGroup {
  readonly identities: readonly SortValue[]
  readonly records: readonly StoredRecord[]
}

/** The groups of the records that a condition lets through, computed record by record: storages must find the same. */
export function evaluateGroups(
  records: readonly StoredRecord[],
  condition: Condition,
  fields: readonly SchemaField[],
  people: Pick<People, 'name'>,
): readonly EvaluatedGroup[] {
  const groups = new Map<string, { identities: readonly SortValue[]; records: StoredRecord[] }>()
  for (const record of records.filter((one) => meetsCondition(condition, one, people))) {
    const identities = fields.map((field) =>
      groupIdentityOf(field.rules.form, cellOf(field, record)),
    )
    const key = JSON.stringify(identities)
    const group = groups.get(key) ?? { identities, records: [] }
    group.records.push(record)
    groups.set(key, group)
  }
  return [...groups.values()]
}
