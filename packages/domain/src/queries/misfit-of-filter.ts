import type { Issue } from '../errors.ts'
import { computationScope } from '../fields/derivation/formula-field.ts'
import type { Field } from '../fields/field.ts'
import { type Filter, fieldsNamedIn } from '../fields/filter.ts'
import { toSchemaField } from '../schemas/table-schema.ts'
import { misfitsOf } from './to-condition.ts'

/**
 * What is wrong with a filter that a field keeps about fields of a table, named by their ids, its path within the
 * filter; undefined where it fits. What is `always` the same can't ask for who looks, or for how long ago something was.
 */
export function misfitOfFilter(
  filter: Filter,
  fields: ReadonlyMap<string, Field>,
  when: 'always' | 'whenAsked',
): Issue | undefined {
  const named = [...fieldsNamedIn(filter)].flatMap((id) => fields.get(id) ?? [])
  const scope = computationScope(new Map())
  const byId = new Map(named.map((field) => [field.id, toSchemaField(field, scope, 0)]))
  const schema = { byKey: { id: byId, name: byId, dbFieldName: byId } }
  const context = { schema, fieldKeyType: 'id', userId: '', now: anyDay } as const
  return misfitsOf(filter, { ...context, isFixed: when === 'always' })[0]
}

/** What today is makes no difference to whether values fit. */
const anyDay = '2000-01-01T00:00:00.000Z'
