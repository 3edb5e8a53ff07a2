import type { Choice } from '../../cells/choice.ts'
import type { Field } from '../../field.ts'
import { type FieldDefinition, lookupDisplaySchema } from '../field-definition.ts'

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
>

/** What is kept of a field, so that another one can become it. */
export function definitionOf(field: Field): KeptDefinition {
  const { name, dbFieldName, description, type, options } = field
  const { unique, notNull, aiConfig, isLookup, lookupOptions } = field
  const named = { name, dbFieldName, description }
  return { ...named, type, options, unique, notNull, aiConfig, isLookup, lookupOptions }
}

/** The same as a caller would say it. */
export function asSent({ lookupOptions, ...kept }: KeptDefinition): FieldDefinition {
  const display = Object.keys(lookupDisplaySchema.shape)
  const all = Object.entries(kept.options as object)
  const options = kept.isLookup ? all.filter(([name]) => display.includes(name)) : all
  return {
    ...kept,
    options: Object.fromEntries(options),
    ...(lookupOptions && { lookupOptions }),
  } as FieldDefinition
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
