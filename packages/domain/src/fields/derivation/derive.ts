import type { DerivationRefusal, Derived, FieldSources } from '../computed/derivation.ts'
import type { Field } from '../field.ts'
import { typeOf } from '../field-values.ts'
import { deriveLookup } from './derive-lookup.ts'

/**
 * What the field is, from the fields that it reads; a refusal when it can't be computed. Fields that
 * read no others are what they say.
 */
export async function derive(
  field: Field,
  sources: FieldSources,
): Promise<Derived | DerivationRefusal> {
  if (field.isLookup) return deriveLookup(field, sources)
  return (await typeOf(field).derive?.(field, sources)) ?? {}
}
