import type { Issue } from '../../errors.ts'
import { parseInput } from '../../input/parse-input.ts'
import { fitOptions } from '../cells/result-formatting.ts'
import { DerivationRefusal, type Derived, type FieldSources } from '../computed/derivation.ts'
import type { Field } from '../field.ts'
import { typeOf, valueTypeOf } from '../field-values.ts'
import { hasMany } from '../link-end.ts'
import type { Misfit } from '../misfit.ts'

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
  const said = ownOptions.filter((key) => own[key] !== undefined)
  // Options of formulas and rollups may be of any kind of result, but show one.
  const unfit = isOfResult(source) ? fitOptions(own, cellValueType) : undefined
  const shown = said.filter((key) => !unfit || unfit.options[key] === own[key])
  const merged = {
    ...(source.options as object),
    ...Object.fromEntries(shown.map((key) => [key, own[key]])),
  }
  const parsed = parseInput(typeOf(source).options, merged)
  const isFitting = 'data' in parsed
  return {
    type: source.type,
    options: isFitting ? merged : source.options,
    lookupOptions,
    result: { cellValueType, isMultiple: isMultiple || hasMany(lookupOptions.relationship) },
    misfit:
      reading.misfit ??
      unfit?.misfit ??
      (isFitting ? undefined : misfitOf(shown, source, parsed.issues)),
  }
}

function isOfResult(source: Pick<Field, 'type'>): boolean {
  const type = typeOf(source)
  return type.computation !== undefined && type.link === undefined
}

/** What of its own a lookup says that fields of the type it reads don't. */
function misfitOf(
  shown: readonly string[],
  { type }: Field,
  issues: readonly Issue[],
): Misfit | undefined {
  const what = `the field that is looked up is of type "${type}"`
  for (const { path, message } of issues) {
    const [option, ...members] = path
    // Members that the type doesn't have are refused at the options themselves, by their names.
    const unknown = shown.find((name) => path.length === 0 && message.includes(`"${name}"`))
    if (unknown) return { option: unknown, message: `must be left out: ${what}, which has none` }
    if (typeof option !== 'string' || !shown.includes(option)) continue
    const place = members.length > 0 ? `${members.join('.')}: ` : ''
    return { option, message: `${place}${message}; ${what}` }
  }
  return undefined
}
