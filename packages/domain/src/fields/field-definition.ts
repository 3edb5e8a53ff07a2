import { z } from 'zod'
import { type Issue, invalid } from '../errors.ts'
import { clientFieldIdSchema, type Ids } from '../ids.ts'
import { limits } from '../limits.ts'
import { descriptionSchema, nameSchema } from '../names.ts'
import { aiConfigSchema, fitsFieldType } from './ai-config.ts'
import { type FieldType, fieldTypeNames, Refusal } from './field-type.ts'
import { fieldTypes } from './field-types.ts'

/** Names that begin so are the product's own: columns of its own, and keys no object may have. */
const systemPrefix = '__'

/** A field's name, trimmed; unlike other names it may not begin with two underscores. */
export const fieldNameSchema = nameSchema.refine(
  (name) => !name.startsWith(systemPrefix),
  'must not begin with "__"',
)

/** The name of a column as callers see it. */
export const dbFieldNameSchema = z
  .string()
  .min(1)
  .max(limits.dbFieldNameLength)
  .regex(/^[A-Za-z0-9_]*$/, 'must consist of letters, digits and underscores')
  .refine((name) => !name.startsWith(systemPrefix), 'must not begin with "__"')

/** What a caller says about a field to be made. */
export const fieldDefinitionSchema = z.object({
  type: z.enum(fieldTypeNames),
  name: fieldNameSchema.optional(),
  unique: z.boolean().optional(),
  notNull: z.boolean().optional(),
  dbFieldName: dbFieldNameSchema.optional(),
  isLookup: z.boolean().optional(),
  description: descriptionSchema.optional(),
  lookupOptions: z.record(z.string(), z.unknown()).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
  aiConfig: aiConfigSchema.nullable().optional(),
  id: clientFieldIdSchema.optional(),
})
export type FieldDefinition = z.output<typeof fieldDefinitionSchema>

/** A definition whose type is there and whose options are complete. */
export interface CheckedDefinition {
  readonly definition: FieldDefinition
  readonly type: FieldType
  readonly options: unknown
}

/** Checks a definition by itself, before the table it goes into is looked at. Throws validation_error. */
export function checkDefinition(
  definition: FieldDefinition,
  ids: Ids,
  path: readonly (string | number)[] = [],
): CheckedDefinition {
  const refuse = (member: string, message: string) =>
    invalid([{ path: [...path, member], message }])
  const type = fieldTypes.get(definition.type)
  if (!type) throw refuse('type', `fields of type "${definition.type}" are not available yet`)
  if (definition.isLookup) throw refuse('isLookup', 'lookup fields are not available yet')
  if (definition.lookupOptions) {
    throw refuse('lookupOptions', 'must be left out unless isLookup is true or the type is rollup')
  }
  if (definition.unique && !type.canBeUnique) {
    throw refuse('unique', `fields of type "${type.name}" can't be unique`)
  }
  if (definition.notNull && !type.canBeNotNull) {
    throw refuse('notNull', `fields of type "${type.name}" can't be required`)
  }
  if (definition.aiConfig && !fitsFieldType(definition.aiConfig, type.name)) {
    throw refuse(
      'aiConfig',
      `"${definition.aiConfig.type}" doesn't fit fields of type "${type.name}"`,
    )
  }
  return { definition, type, options: checkOptions(type, definition.options, ids, path) }
}

/** The complete options of a field of the type, from what a caller sent. Throws validation_error. */
export function checkOptions(
  type: FieldType,
  sent: unknown,
  ids: Ids,
  path: readonly (string | number)[] = [],
): unknown {
  const parsed = type.options.safeParse(sent ?? {})
  if (!parsed.success) {
    const issues = parsed.error.issues.map(
      (issue): Issue => ({
        path: [
          ...path,
          'options',
          ...issue.path.map((key) => (typeof key === 'symbol' ? '' : key)),
        ],
        message: issue.message,
      }),
    )
    throw invalid(issues)
  }
  const complete = type.complete?.(parsed.data, ids) ?? parsed.data
  if (complete instanceof Refusal) {
    throw invalid([{ path: [...path, 'options'], message: complete.message }])
  }
  return complete
}
