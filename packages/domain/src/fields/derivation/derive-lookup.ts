import type { Field } from '../field.ts'
import { typeOf, valueTypeOf } from '../field-values.ts'
import { hasMany } from '../link-side.ts'
import { DerivationRefusal, type Derived, type FieldSources } from './derivation.ts'

/** The options of a lookup that are its own: how its values are shown. */
const ownOptions = ['formatting', 'showAs'] as const

/**
 * What a lookup is: type and options are those of the field that it reads, but for how it shows values;
 * a list when it reads through a link to many, or reads lists.
 */
export async function deriveLookup(
  field: Field,
  sources: FieldSources,
): Promise<Derived | DerivationRefusal> {
  const reading = await sources.readThroughLink(field)
  if (reading instanceof DerivationRefusal) return reading
  const { source, lookupOptions } = reading
  const { cellValueType, isMultiple } = valueTypeOf(source)
  const own = field.options as Readonly<Record<string, unknown>>
  const shown = ownOptions.filter((key) => own[key] !== undefined).map((key) => [key, own[key]])
  const merged = { ...(source.options as object), ...Object.fromEntries(shown) }
  const isFitting = typeOf(source).options.safeParse(merged).success
  return {
    type: source.type,
    options: isFitting ? merged : source.options,
    lookupOptions,
    result: { cellValueType, isMultiple: isMultiple || hasMany(lookupOptions.relationship) },
    misfit: isFitting ? undefined : 'formatting',
  }
}
