import { type DomainError, notFound } from '../../errors.ts'
import { fieldKeyTypes, type TableSchema } from '../../schemas/table-schema.ts'
import type { IssueLocator } from './row-issues.ts'

/** What is thrown for a key of a row that names no field: it says what to send where it names one in other terms. */
export function unknownField(
  schema: TableSchema,
  options: IssueLocator,
  row: number,
  key: string,
): DomainError {
  const path = [...options.pathOf(row), 'fields', key.slice(0, 80)]
  const what = `field with the ${options.fieldKeyType}`
  return notFound(what, key, path, adviceFor(schema, options, key))
}

function adviceFor(
  { byKey }: TableSchema,
  { fieldKeyType }: IssueLocator,
  key: string,
): string | undefined {
  const meant = fieldKeyTypes.find((type) => byKey[type].has(key))
  if (meant === undefined) return undefined
  return `a field has that as its ${meant}, and the request names fields by their ${fieldKeyType}: send "fieldKeyType": "${meant}"`
}
