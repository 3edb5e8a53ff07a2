import type { z } from 'zod'
import type { FieldTypeName } from './field-type-name.ts'
import type { RegisteredFieldType } from './field-types.ts'

/** The field type of the name, as the registry has it. */
export type FieldTypeOf<Name extends FieldTypeName> = Extract<
  RegisteredFieldType,
  { readonly name: Name }
>

/** The options of fields of the type as a caller may send them: what has a default may be left out. */
export type SentFieldOptions<Name extends FieldTypeName> = WithoutNever<
  z.input<FieldTypeOf<Name>['options']>
>

/** The options of a type that has none. */
export interface NoOptions {
  readonly [none]?: never
}
declare const none: unique symbol

/**
 * The schema's own type for no members allows every member, with no value. In a union of the options of all types, each
 * misspelt member would then be one, and the compiler would speak of its value.
 */
type WithoutNever<Options> = string extends keyof Options ? NoOptions : Options

/** The options of fields of the type as they are kept and answered: complete. */
export type FieldOptions<Name extends FieldTypeName> = z.output<FieldTypeOf<Name>['options']>
