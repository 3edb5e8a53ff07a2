import { DomainError } from '../../../errors.ts'
import type { Field } from '../../field.ts'

/**
 * The primary field is deleted with its table only: `restricted_resource`. Its id names it: who may
 * delete fields need not be one who may know their names.
 */
export function requireNoPrimary(fields: readonly Field[]): void {
  const primary = fields.find(({ isPrimary }) => isPrimary)
  if (!primary) return
  throw new DomainError(
    'restricted_resource',
    `${primary.id} is the primary field, which can't be deleted`,
  )
}
