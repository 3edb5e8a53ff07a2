/** A value that a source has of another module. */
export interface ImportedValue {
  readonly specifier: string
  /** As the module exports it; `*` where the source doesn't name what it needs. */
  readonly name: string
}

/** The modules that are loaded before the source is: what it loads when it needs it and types are none of them. */
export function specifiersAtOnce(text: string): readonly string[] {
  const named = [...text.matchAll(listed)].filter(([, names = '']) => valuesIn(names).length > 0)
  const unnamed = [...text.matchAll(whole)].filter(([, forEffects]) => forEffects !== undefined)
  return [
    ...named.map(([, , specifier = '']) => specifier),
    ...unnamed.map(([, specifier = '']) => specifier),
  ]
}

/** What a source imports, exports anew or loads when it needs it; types are none of it. */
export function importedValues(text: string): readonly ImportedValue[] {
  const named = [...text.matchAll(listed), ...text.matchAll(loaded)].flatMap(
    ([, names = '', specifier = '']) => valuesIn(names).map((name) => ({ specifier, name })),
  )
  const unnamed = [...text.matchAll(whole)]
    .map(([, forEffects, specifier = forEffects ?? '']) => specifier)
    .filter((specifier) => !named.some((value) => value.specifier === specifier))
  return [...named, ...unnamed.map((specifier) => ({ specifier, name: '*' }))]
}

const listed = /^(?:import|export) \{([^}]*)\} from '([^']+)'/gm
const loaded = /\{([^{}]*)\} = await import\('([^']+)'\)/g
const whole = /^import '([^']+)'|(?<!typeof )\bimport\('([^']+)'\)/gm

/** The names in a list of an import, without those of types and as they are where they come from. */
function valuesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.replace(/( as |:).*/, ''))
}
