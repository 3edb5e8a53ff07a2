import { z } from 'zod'
import { type Issue, invalid } from '../errors.ts'
import { colorSchema } from '../fields/cells/color.ts'
import { idSchema } from '../ids.ts'
import { describedAs } from '../input/described-as.ts'
import { parseInput } from '../input/parse-input.ts'
import { limits } from '../limits.ts'
import type { SchemaField, TableSchema } from '../schemas/table-schema.ts'
import { sentObject } from '../values/sent-object.ts'
import { storableTextUpTo } from '../values/storable-text.ts'
import { mergeSettings } from './merge-settings.ts'
import type { View } from './view.ts'
import type { ViewType } from './view-type.ts'

const fieldId = idSchema
const text = storableTextUpTo(limits.shortTextLength)
const isCoverFit = z.boolean().describe('Whether a cover is shown whole')
const isFieldNameHidden = z.boolean().describe('Whether cards leave out the names of fields')
const coverFieldId = fieldId.describe('The attachment field whose first file is the cover')

/** What can be set of each kind of view. */
const optionsByType = {
  grid: {
    rowHeight: z
      .enum(['short', 'medium', 'tall', 'extraTall', 'autoFit'])
      .describe('How tall the rows are'),
    fieldNameDisplayLines: z.int().min(1).max(3).describe('Lines for the names of fields'),
    frozenColumnCount: z.int().min(0).max(limits.fieldsPerTable).describe('Columns that stay'),
    frozenFieldId: fieldId.describe('The last field whose column stays'),
  },
  kanban: {
    stackFieldId: fieldId.describe('The field by which records are stacked'),
    coverFieldId,
    isCoverFit,
    isFieldNameHidden,
    isEmptyStackHidden: z.boolean().describe('Whether stacks without records are left out'),
  },
  gallery: { coverFieldId, isCoverFit, isFieldNameHidden },
  calendar: {
    startDateFieldId: fieldId.describe('The date on which a record begins'),
    endDateFieldId: fieldId.describe('The date on which it ends'),
    titleFieldId: fieldId.describe('The field that it is shown by'),
    colorConfig: z
      .strictObject({
        type: z.enum(['field', 'custom']).describe('Where the color comes from'),
        fieldId: fieldId.nullable().optional().describe('The select field whose colors are taken'),
        color: colorSchema.nullable().optional().describe('The color of all records'),
      })
      .describe('In which color records are shown'),
  },
  form: {
    coverUrl: text.describe('Where the picture above the form is'),
    logoUrl: text.describe('Where the logo is'),
    submitLabel: storableTextUpTo(limits.nameLength).describe('What the button says'),
    successMessage: storableTextUpTo(limits.descriptionLength).describe(
      'What is said once the form was sent',
    ),
  },
  plugin: {},
} as const satisfies Readonly<Record<ViewType, z.ZodRawShape>>

/** What is sent for each kind: any of the settings; null takes one away. */
const schemas: Readonly<Record<ViewType, z.ZodType<Readonly<Record<string, unknown>>>>> = {
  grid: settable(optionsByType.grid),
  kanban: settable(optionsByType.kanban),
  gallery: settable(optionsByType.gallery),
  calendar: settable(optionsByType.calendar),
  form: settable(optionsByType.form),
  plugin: settable(optionsByType.plugin),
}

function settable(shape: z.ZodRawShape) {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(shape).map(([name, member]) => {
        const schema = member as z.ZodType
        return [
          name,
          schema
            .nullable()
            .optional()
            .describe(schema.description ?? ''),
        ]
      }),
    ),
  )
}

/** The options of a view of a kind as it keeps them: nothing is asked of the fields that they name. */
export function storedOptionsOf(type: ViewType) {
  return schemas[type]
}

/** Options of a view, before its kind is known. */
export const viewOptionsInput = describedAs(sentObject(limits.fieldOptions), () =>
  z
    .union(
      (['grid', 'kanban', 'gallery', 'calendar', 'form'] as const).map((type) => {
        const name = type.charAt(0).toUpperCase() + type.slice(1)
        return schemas[type].meta({ id: `${name}ViewOptions` })
      }),
    )
    .describe('Settings of the kind of view: what is left out stays, null is taken away'),
)

/** Options that name a field, and what kind of cells it must have where not any will do. */
const fieldOptions: Readonly<Record<string, { readonly kind?: string; readonly what: string }>> = {
  frozenFieldId: { what: 'field' },
  stackFieldId: { what: 'field' },
  titleFieldId: { what: 'field' },
  coverFieldId: { kind: 'file', what: 'field of attachments' },
  startDateFieldId: { kind: 'date', what: 'field of dates' },
  endDateFieldId: { kind: 'date', what: 'field of dates' },
}

/**
 * The options of the view once they are changed. Throws validation_error with all that doesn't fit: options that
 * this kind of view has not, fields there are not.
 */
export function changeOptions(
  { type, options }: Pick<View, 'type' | 'options'>,
  sent: unknown,
  schema: TableSchema,
  path: Issue['path'],
): View['options'] {
  const parsed = parseInput(schemas[type], sent)
  const issues = 'issues' in parsed ? parsed.issues : misfitsIn(parsed.data, schema)
  if (issues.length > 0 || 'issues' in parsed) {
    throw invalid(issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })))
  }
  return mergeSettings(options, parsed.data)
}

function misfitsIn(options: View['options'], { byKey }: TableSchema): readonly Issue[] {
  const fits = (id: unknown, kind: string | undefined) => {
    const field = byKey.id.get(id as string)
    return field !== undefined && (kind === undefined || kindOf(field) === kind)
  }
  const issues: Issue[] = Object.entries(options).flatMap(([name, value]) => {
    const wanted = fieldOptions[name]
    if (!wanted || value === null || fits(value, wanted.kind)) return []
    return { path: [name], message: `must be the id of a ${wanted.what} of the table` }
  })
  const colors = options.colorConfig as { readonly fieldId?: string | null } | null | undefined
  if (colors?.fieldId != null && !fits(colors.fieldId, 'choice')) {
    const message = 'must be the id of a select field of the table'
    issues.push({ path: ['colorConfig', 'fieldId'], message })
  }
  return issues
}

function kindOf({ rules }: SchemaField): string {
  return rules.form.item.kind
}

/** The options but for those that name a field which isn't there for the caller. */
export function withFieldsOnly(
  options: View['options'],
  isThere: (fieldId: string) => boolean,
): View['options'] {
  const kept = Object.entries(options).filter(([name, value]) => {
    const named = name === 'colorConfig' ? (value as { fieldId?: unknown }).fieldId : value
    const namesField = name in fieldOptions || name === 'colorConfig'
    return !namesField || typeof named !== 'string' || isThere(named)
  })
  return Object.fromEntries(kept)
}
