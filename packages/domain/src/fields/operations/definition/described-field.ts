import { z } from 'zod'
import { aiConfigSchema } from '../../ai-config.ts'
import type { FieldType } from '../../field-type.ts'
import { describedOptions, fieldKinds, toComponentName } from '../../field-type-descriptions.ts'
import { lookupOptionsInput } from '../../lookup-options.ts'
import { fieldDefinitionSchema, lookupDisplaySchema } from './field-definition.ts'

const described = {
  lookupOptions: lookupOptionsInput.meta({ id: 'LookupOptionsInput' }),
  lookupDisplay: lookupDisplaySchema.meta({ id: 'LookupDisplayInput' }),
  aiConfig: aiConfigSchema.meta({ id: 'AiConfigInput' }),
}

/** What may be said of a field of whatever type. */
const anyMembers = fieldDefinitionSchema.omit({ options: true, lookupOptions: true }).extend({
  aiConfig: described.aiConfig
    .nullable()
    .optional()
    .describe('How a model would fill the cells. It is checked and kept; no model is called.'),
})

let creation: z.ZodType | undefined
let conversion: z.ZodType | undefined

/** A field to be made, as the documentation shows it: by its type, or a lookup. Made once, since its parts are named. */
export function describedField(): z.ZodType {
  creation ??= describe('creation')
  return creation
}

/** What a field is to become, as the documentation shows it: no options are required, and no id is taken. */
export function describedConversion(): z.ZodType {
  conversion ??= describe('conversion')
  return conversion
}

function describe(use: 'creation' | 'conversion'): z.ZodType {
  const isConversion = use === 'conversion'
  const suffix = isConversion ? 'ConversionInput' : 'Input'
  const { shape } = isConversion ? anyMembers.omit({ id: true }) : anyMembers
  const toKind = (type: FieldType) => {
    const options = describedOptions(type, 'Input')
    const mayBeLeftOut = isConversion || type.options.safeParse({}).success
    return z.object({
      ...shape,
      type: z.literal(type.name).describe('What its cells hold'),
      isLookup: z.literal(false).optional().describe('For a lookup, true'),
      options: mayBeLeftOut ? options.optional() : options,
      ...(type.readsThroughLink && { lookupOptions: described.lookupOptions }),
    })
  }
  const lookup = z
    .object({
      ...shape,
      isLookup: z.literal(true).describe('Shows the cells of linked records'),
      lookupOptions: described.lookupOptions,
      options: described.lookupDisplay.optional(),
    })
    .meta({ id: toComponentName('lookup', `Field${suffix}`) })
  const own = fieldKinds(`Field${suffix}`, toKind).meta({
    id: toComponentName('own', `Field${suffix}`),
    discriminator: { propertyName: 'type' },
  })
  return z.union([own, lookup]).meta({ id: `Field${suffix}` })
}
