import { z } from 'zod'
import { idSchema } from '../../../ids.ts'
import { describedAs } from '../../../input/described-as.ts'
import type { FieldTypeOf, SentFieldOptions } from '../../field-options.ts'
import type { FieldTypeName } from '../../field-type-name.ts'
import type { lookupOptionsInput } from '../../lookup-options.ts'
import { describedConversion, describedField } from './described-field.ts'
import { fieldDefinitionSchema, type lookupDisplaySchema } from './field-definition.ts'
import { fieldPlaceSchema } from './field-place.ts'

/** What may be said of a field of whatever type. */
type AnyField = Omit<
  z.input<typeof fieldDefinitionSchema>,
  'type' | 'options' | 'isLookup' | 'lookupOptions'
>

/** Options may be left out where none of them is required. */
type OptionsOf<Options> =
  Record<never, never> extends Options ? { options?: Options | undefined } : { options: Options }

declare const nowhere: unique symbol

/**
 * What nobody can give. It stands where `undefined` would do, by which the compiler would tell the kinds of fields
 * apart before their type is written: an editor would then offer only the types that need no options.
 */
export interface LeftOut {
  readonly [nowhere]: never
}

type LookupOptionsOf<Name extends FieldTypeName> =
  FieldTypeOf<Name> extends { readonly readsThroughLink?: true }
    ? { lookupOptions: z.input<typeof lookupOptionsInput> }
    : { lookupOptions?: LeftOut | undefined }

type OwnFieldByType = {
  [Name in FieldTypeName]: AnyField & {
    type: Name
    isLookup?: false | undefined
  } & OptionsOf<SentFieldOptions<Name>> &
    LookupOptionsOf<Name>
}

/** The types none of whose options is required. */
type TypeWithoutNeeds = {
  [Name in FieldTypeName]: OwnFieldByType[Name] extends
    | { options: unknown }
    | { lookupOptions: object }
    ? never
    : Name
}[FieldTypeName]

/** A field with the options that its type gives it: of this kind is one whose type is known only to be one of several. */
type FieldByDefault = AnyField & {
  type: TypeWithoutNeeds
  isLookup?: false | undefined
  options?: LeftOut | undefined
  lookupOptions?: LeftOut | undefined
}

/** A lookup: its type follows from the field that it reads; its options say how values are shown, and no more. */
type LookupField = AnyField & {
  type: FieldTypeName
  isLookup: true
  lookupOptions: z.input<typeof lookupOptionsInput>
  options?: z.input<typeof lookupDisplaySchema> | undefined
}

/** The kind of field without the members, and with those beside it; written out, so that messages can be read. */
type Beside<Own, Kind, Names extends PropertyKey> = Kind extends unknown
  ? { [Member in keyof (Own & Omit<Kind, Names>)]: (Own & Omit<Kind, Names>)[Member] }
  : never

/** The kind of field, whose options may be left out. */
type KeepingOptions<Kind> = Kind extends { options?: infer Options }
  ? Beside<{ options?: Options | undefined }, Kind, 'options'>
  : never

/** A field as a caller describes it: its type tells which options it takes. */
export type FieldInput = Beside<
  unknown,
  OwnFieldByType[FieldTypeName] | FieldByDefault | LookupField,
  never
>

/** What a field is to become. A type that stays keeps the options that aren't given. */
export type FieldConversionInput = Beside<unknown, KeepingOptions<FieldInput>, 'id'>

/** The input with the members of a kind of field in the place of those of a definition. */
type InputOf<Schema extends z.ZodObject, Kind> = Beside<
  Omit<z.input<Schema>, keyof z.input<typeof fieldDefinitionSchema>>,
  Kind,
  never
>

/**
 * The schema of an input that has the members of a field definition among its own, with the options of
 * each type known to the compiler and the documentation. At run time it is the schema as it was: which options a
 * type takes is checked when the guard has let the caller pass, by the schema of that type alone
 * (`checkDefinition`), so that errors name the member, and a table of many fields is read at once. The types
 * follow from those same schemas.
 */
function withTypedOptions<Schema extends z.ZodObject>(
  schema: Schema,
): z.ZodType<z.output<Schema>, InputOf<Schema, FieldInput>> {
  return describedAs(schema, () => besideDefinition(schema, describedField())) as never
}

/** As `withTypedOptions`, for the input of a conversion. */
export function withTypedConversion<Schema extends z.ZodObject>(
  schema: Schema,
): z.ZodType<z.output<Schema>, InputOf<Schema, FieldConversionInput>> {
  return describedAs(schema, () => besideDefinition(schema, describedConversion())) as never
}

/** What a caller says about a field to be made; see `withTypedOptions`. */
export const fieldInput = withTypedOptions(fieldDefinitionSchema)

/** The description of the definition with the other members of the input, if it has any. */
function besideDefinition(schema: z.ZodObject, definition: z.ZodType): z.ZodType {
  const ownMembers = Object.entries(schema.shape).filter(
    ([name]) => !(name in fieldDefinitionSchema.shape),
  )
  if (ownMembers.length === 0) return definition
  return z.intersection(z.object(Object.fromEntries(ownMembers)), definition)
}

/** What creates a field, and what plans that. */
export const newFieldInput = withTypedOptions(
  z.object({
    tableId: idSchema,
    ...fieldDefinitionSchema.shape,
    order: fieldPlaceSchema.optional(),
  }),
)
