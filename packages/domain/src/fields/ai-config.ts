import { z } from 'zod'
import { limits } from '../limits.ts'
import { textUpTo } from '../values/storable-text.ts'
import type { FieldTypeName } from './field-type-name.ts'

const common = {
  modelKey: textUpTo(limits.nameLength).min(1).describe('Which model it would be'),
  isAutoFill: z.boolean().optional().describe('Whether the cells would be filled by themselves'),
  attachPrompt: textUpTo(limits.descriptionLength)
    .optional()
    .describe('What the model would be told besides'),
}
const sourceFieldId = textUpTo(limits.idLength)
  .min(1)
  .describe('The field that the model would read')
const prompt = textUpTo(limits.descriptionLength).min(1).describe('What the model would be told')
const image = {
  n: z.int().min(1).max(10).optional().describe('How many pictures'),
  size: textUpTo(limits.nameLength)
    .regex(/^\d{2,5}x\d{2,5}$/, 'must be a width and a height in pixels, such as 1024x768')
    .optional()
    .describe('Width and height in pixels: `1024x768`'),
  quality: z.enum(['low', 'medium', 'high']).optional().describe('How good they would be'),
  aspectRatio: textUpTo(limits.nameLength).optional().describe('Width to height: `16:9`'),
  resolution: z.enum(['1K', '2K', '4K']).optional().describe('How many pixels'),
}

const kind = <Name extends string>(name: Name) =>
  z.literal(name).describe('What the model would do')

/** How a model would fill the field. It is checked and kept; no model is called. */
export const aiConfigSchema = z.discriminatedUnion('type', [
  z.object({ type: kind('extraction'), ...common, sourceFieldId }),
  z.object({ type: kind('summary'), ...common, sourceFieldId }),
  z.object({ type: kind('improvement'), ...common, sourceFieldId }),
  z.object({ type: kind('classification'), ...common, sourceFieldId }),
  z.object({ type: kind('tag'), ...common, sourceFieldId }),
  z.object({ type: kind('rating'), ...common, sourceFieldId }),
  z.object({
    type: kind('translation'),
    ...common,
    sourceFieldId,
    targetLanguage: textUpTo(limits.nameLength).min(1).describe('The language to translate into'),
  }),
  z.object({
    type: kind('customization'),
    ...common,
    prompt,
    onlyAllowConfiguredOptions: z
      .boolean()
      .optional()
      .describe('Whether no choices would be added'),
  }),
  z.object({ type: kind('imageGeneration'), ...common, sourceFieldId, ...image }),
  z.object({ type: kind('imageCustomization'), ...common, prompt, ...image }),
])

/** Settings for a model that fills the cells; checked and stored, never used here. */
export type AiConfig = z.output<typeof aiConfigSchema>

const onText = ['extraction', 'summary', 'improvement', 'translation', 'customization']

/** The kinds of configuration that fit each field type; none for types that a model can't fill. */
const kindsByType: Partial<Record<FieldTypeName, readonly string[]>> = {
  singleLineText: onText,
  longText: onText,
  singleSelect: ['classification', 'customization'],
  multipleSelect: ['tag', 'customization'],
  number: ['rating', 'customization'],
  rating: ['rating', 'customization'],
  date: ['extraction', 'customization'],
  attachment: ['imageGeneration', 'imageCustomization'],
}

/** Whether a field of the type may have the configuration. */
export function fitsFieldType(config: AiConfig, type: FieldTypeName): boolean {
  return kindsByType[type]?.includes(config.type) ?? false
}
