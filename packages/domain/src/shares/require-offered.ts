import { type Issue, invalid } from '../errors.ts'
import { Refusal } from '../fields/cell.ts'
import { typeOf } from '../fields/field-values.ts'
import { both } from '../queries/condition.ts'
import { notLinkable } from '../records/input/not-linkable.ts'
import type { RecordInput } from '../records/input/record-input.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { ShareContext } from './list-shown.ts'
import { findOfferedLinks } from './offered-links.ts'

type Visit = Pick<ShareContext, 'tx' | 'table' | 'now'>

/**
 * Refuses what a visitor may not choose in a form: files, since none that is there already is theirs, and links to
 * records that they aren't offered, in the words for records that there are not. What is no value of its field is left
 * to who writes it.
 */
export async function requireOffered(
  visit: Visit,
  form: TableSchema,
  { fields }: RecordInput,
  keyType: FieldKeyType,
): Promise<void> {
  const issues: Issue[] = []
  for (const [key, value] of Object.entries(fields)) {
    const field = form.byKey[keyType].get(key)
    const message = field && (await refusalOf(visit, field, value))
    if (message !== undefined) issues.push({ path: ['fields', key], message })
  }
  if (issues.length > 0) throw invalid(issues)
}

async function refusalOf(
  visit: Visit,
  field: SchemaField,
  value: unknown,
): Promise<string | undefined> {
  const isFile = typeOf(field.field).files !== undefined
  if (!field.isWritable || !(isFile || field.link)) return undefined
  const cell = field.rules.parse(value)
  if (cell === null || cell instanceof Refusal) return undefined
  if (isFile) return 'must be left out: a shared form does not accept files'
  const ids = field.link?.capability.recordIds(cell) ?? []
  const offered = await findOfferedLinks(visit, field)
  if (!offered || ids.length === 0) return undefined
  const { schema, condition } = offered
  const query = { condition: both(condition, { kind: 'ids', ids }), keys: [] }
  const page = { after: undefined, skip: 0, take: ids.length }
  const found = await visit.tx.recordFinder.find(schema, query, page)
  const known = new Set(found.map(({ id }) => id))
  const missing = ids.find((id) => !known.has(id))
  return missing === undefined ? undefined : notLinkable(missing)
}
