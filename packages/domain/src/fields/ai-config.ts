import { z } from 'zod'
import { limits } from '../limits.ts'
import { textUpTo } from '../values/storable-text.ts'
import type { FieldTypeName } from './field-type-name.ts'

const common = {
  modelKey: textUpTo(limits.nameLength).min(1),
  isAutoFill: z.boolean().optional(),
  attachPrompt: textUpTo(limits.descriptionLength).optional(),
}
const sourceFieldId = textUpTo(limits.idLength).min(1)
const prompt = textUpTo(limits.descriptionLength).min(1)
const image = {
  n: z.int().min(1).max(10).optional(),
  size: textUpTo(limits.nameLength)
    .regex(/^\d{2,5}x\d{2,5}$/, 'must be a width and a height in pixels, such as 1024x768')
    .optional(),
  quality: z.enum(['low', 'medium', 'high']).optional(),
  aspectRatio: textUpTo(limits.nameLength).optional(),
  resolution: z.enum(['1K', '2K', '4K']).optional(),
}

/** How a model would fill the field. It is checked and kept; no model is called. */
export const aiConfigSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('extraction'), ...common, sourceFieldId }),
  z.strictObject({ type: z.literal('summary'), ...common, sourceFieldId }),
  z.strictObject({ type: z.literal('improvement'), ...common, sourceFieldId }),
  z.strictObject({ type: z.literal('classification'), ...common, sourceFieldId }),
  z.strictObject({ type: z.literal('tag'), ...common, sourceFieldId }),
  z.strictObject({ type: z.literal('rating'), ...common, sourceFieldId }),
  z.strictObject({
    type: z.literal('translation'),
    ...common,
    sourceFieldId,
    targetLanguage: textUpTo(limits.nameLength).min(1),
  }),
  z.strictObject({
    type: z.literal('customization'),
    ...common,
    prompt,
    onlyAllowConfiguredOptions: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('imageGeneration'), ...common, sourceFieldId, ...image }),
  z.strictObject({ type: z.literal('imageCustomization'), ...common, prompt, ...image }),
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
