import { z } from 'zod'
import { invalid } from '../../../errors.ts'
import { clientFieldIdSchema, type Ids } from '../../../ids.ts'
import { undocumented } from '../../../input/not-yet.ts'
import { parseAt } from '../../../input/parse-input.ts'
import { limits } from '../../../limits.ts'
import { descriptionSchema, nameSchema, unusableName } from '../../../values/names.ts'
import { sentObject } from '../../../values/sent-object.ts'
import { textUpTo } from '../../../values/storable-text.ts'
import { aiConfigSchema, fitsFieldType } from '../../ai-config.ts'
import { Refusal } from '../../cell.ts'
import { resultShape } from '../../cells/result-formatting.ts'
import type { FieldType } from '../../field-type.ts'
import { fieldTypeNames } from '../../field-type-name.ts'
import { typeOf } from '../../field-values.ts'
import { lookupOptionsInput } from '../../lookup-options.ts'

/** Columns whose names begin so are the product's own. */
const systemPrefix = '__'

/** A field's name, trimmed: a member of the objects in which callers are answered values. */
export const fieldNameSchema = nameSchema.refine(
  (name) => name !== unusableName,
  `must not be "${unusableName}"`,
)

/** The name of a column as callers see it. */
export const dbFieldNameSchema = textUpTo(limits.dbFieldNameLength)
  .min(1)
  .regex(/^[A-Za-z0-9_]*$/, 'must consist of letters, digits and underscores')
  .refine((name) => !name.startsWith(systemPrefix), 'must not begin with "__"')

/** Options as they were sent. The type of the field says which there are, and looks at their values. */
const sentOptionsSchema = sentObject(limits.fieldOptions)

/** What a caller says about a field to be made. */
export const fieldDefinitionSchema = z.object({
  type: z
    .enum(fieldTypeNames)
    .describe('What its cells hold; for a lookup, the type of the field that it shows'),
  name: fieldNameSchema
    .optional()
    .describe('Its name: numbered where it is taken; without one, that of its type'),
  unique: z.boolean().optional().describe('Whether no two cells may be equal'),
  notNull: z.boolean().optional().describe('Whether no cell may be empty'),
  dbFieldName: dbFieldNameSchema
    .optional()
    .describe('The name of its column; without one, made from the name'),
  isLookup: z.boolean().optional().describe('Whether it shows the cells of linked records'),
  description: descriptionSchema.optional().describe('What people note about it'),
  /** A lookup that reads by a condition, not through a link, would answer other values than were asked for. */
  isConditionalLookup: z
    .unknown()
    .refine((value) => value !== true, 'conditional lookups are not available')
    .optional()
    .meta(undocumented),
  lookupOptions: lookupOptionsInput.optional(),
  options: sentOptionsSchema.optional(),
  aiConfig: aiConfigSchema
    .nullable()
    .optional()
    .describe('How a model would fill the cells. It is checked and kept; no model is called.'),
  id: clientFieldIdSchema.optional().describe('An id of your own: `fld` and 16 letters or digits'),
})

/** A field as a caller describes it. */
export type FieldDefinition = z.output<typeof fieldDefinitionSchema>

/** A definition whose type is there and whose options are complete. */
export interface CheckedDefinition {
  readonly definition: FieldDefinition
  readonly type: FieldType
  readonly options: unknown
}

/** What a lookup says of itself: how its values are shown. All else is that of the field that it reads. */
export const lookupDisplaySchema = z.strictObject({
  formatting: resultShape.formatting,
  showAs: resultShape.showAs,
})

/** Checks a definition by itself, before the table it goes into is looked at. Throws validation_error. */
export function checkDefinition(
  definition: FieldDefinition,
  ids: Ids,
  path: readonly (string | number)[] = [],
): CheckedDefinition {
  const type = typeOf(definition)
  requireFittingMembers(definition, type, path)
  const options = definition.isLookup
    ? parseOptions(lookupDisplaySchema, definition.options, path)
    : checkOptions(type, definition.options, ids, path)
  return { definition, type, options }
}

/** Refuses members that fields of the type, or lookups, don't have. */
function requireFittingMembers(
  { isLookup, lookupOptions, unique, notNull, aiConfig }: FieldDefinition,
  type: FieldType,
  path: readonly (string | number)[],
): void {
  const refuse = (member: string, message: string) =>
    invalid([{ path: [...path, member], message }])
  const reads = isLookup || type.readsThroughLink
  if (reads && !lookupOptions) {
    throw refuse('lookupOptions', 'must be given for lookups and rollups')
  }
  if (!reads && lookupOptions) {
    throw refuse('lookupOptions', 'must be left out unless isLookup is true or the type is rollup')
  }
  const what = isLookup ? 'lookup fields' : `fields of type "${type.name}"`
  if (unique && (isLookup || !type.canBeUnique)) throw refuse('unique', `${what} can't be unique`)
  if (notNull && (isLookup || !type.canBeNotNull)) {
    throw refuse('notNull', `${what} can't be required`)
  }
  if (aiConfig && !fitsFieldType(aiConfig, type.name)) {
    throw refuse('aiConfig', `"${aiConfig.type}" doesn't fit fields of type "${type.name}"`)
  }
}

/** The complete options of a field of the type, from what a caller sent. Throws validation_error. */
function checkOptions(
  type: FieldType,
  sent: unknown,
  ids: Ids,
  path: readonly (string | number)[] = [],
): unknown {
  const options = parseOptions(type.options, sent, path)
  const complete = type.complete?.(options, ids) ?? options
  if (complete instanceof Refusal) {
    throw invalid([{ path: [...path, 'options'], message: complete.message }])
  }
  return complete
}

function parseOptions(schema: z.ZodType, sent: unknown, path: readonly (string | number)[]) {
  return parseAt(schema, sent ?? {}, [...path, 'options'])
}
