import type { Choice } from '../../../cells/choice.ts'
import type { Field } from '../../../field.ts'

/** What people said of a field, as it is stored. */
export type KeptDefinition = Pick<
  Field,
  | 'name'
  | 'dbFieldName'
  | 'description'
  | 'type'
  | 'options'
  | 'unique'
  | 'notNull'
  | 'aiConfig'
  | 'isLookup'
  | 'lookupOptions'
> & {
  /** What its values were, where it had an error: nothing tells it then. */
  readonly broken?: Pick<Field, 'result'>
}

/** What is kept of a field, so that another one can become it. */
export function definitionOf(field: Field): KeptDefinition {
  const { name, dbFieldName, description, type, options } = field
  const { unique, notNull, aiConfig, isLookup, lookupOptions, result } = field
  const named = { name, dbFieldName, description }
  const said = { type, options, unique, notNull, aiConfig, isLookup, lookupOptions }
  return { ...named, ...said, ...(field.hasError && { broken: { result } }) }
}

/** Whether the field has all the choices of the definition, as they were; it may have got others since. */
export function hasChoicesOf({ options }: Pick<Field, 'options'>, kept: KeptDefinition): boolean {
  const choicesIn = (held: unknown) =>
    ((held as { readonly choices?: readonly Choice[] }).choices ?? []).map((one) =>
      JSON.stringify(one),
    )
  const held = new Set(choicesIn(options))
  return choicesIn(kept.options).every((choice) => held.has(choice))
}
