import { DomainError } from '../errors.ts'
import type { Field } from './field.ts'

/** The primary field is deleted with its table only: `restricted_resource`. */
export function requireNoPrimary(fields: readonly Field[]): void {
  const primary = fields.find(({ isPrimary }) => isPrimary)
  if (!primary) return
  throw new DomainError(
    'restricted_resource',
    `"${primary.name}" is the primary field, which stays`,
  )
}
