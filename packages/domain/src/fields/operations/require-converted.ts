import { DomainError } from '../../errors.ts'
import type { Field } from '../field.ts'
import { isConverting } from '../field-values.ts'

/** Throws `conflict` while a field of these is being converted: values that aren't yet would be lost. */
export function requireConverted(fields: readonly Field[], what: string): void {
  const field = fields.find(isConverting)
  if (!field) return
  const message = `The values of "${field.name}" are being converted: ${what} when that is done`
  throw new DomainError('conflict', message)
}

/** Throws `conflict` while values of a field are being worked out or converted: it becomes nothing else then. */
export function requireSettled(field: Field): void {
  if (!field.isPending) return
  const what = isConverting(field) ? 'converted' : 'worked out'
  const message = `The values of "${field.name}" are being ${what}: convert it when that is done`
  throw new DomainError('conflict', message)
}
