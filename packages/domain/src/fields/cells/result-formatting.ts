import { z } from 'zod'
import { type DateFormatting, dateFormattingSchema } from '../../values/dates/date-formatting.ts'
import { timeZoneSchema } from '../../values/dates/time-zone-schema.ts'
import { type NumberFormatting, numberFormattingSchema } from '../../values/number-formatting.ts'
import type { CellValueType } from '../../values/value-type.ts'
import type { Misfit } from '../misfit.ts'
import { colorSchema } from './color.ts'
import { textShowAsSchema } from './text-show-as.ts'

/** What a number is drawn as. */
export const numberShowAsSchema = z.strictObject({
  type: z.enum(['bar', 'ring']),
  color: colorSchema,
  showValue: z.boolean(),
  maxValue: z.number(),
})

/** How results are shown: which of it may be said depends on what the result is. */
export const resultShape = {
  /** UTC where it isn't said. */
  timeZone: timeZoneSchema
    .optional()
    .describe('By which clocks times are worked with; UTC where it is not said'),
  // Unwrapped, because the schema of a date's formatting fills in what isn't given.
  formatting: z
    .union([numberFormattingSchema, dateFormattingSchema.unwrap()])
    .optional()
    .describe('How numbers or dates are shown'),
  showAs: z
    .union([numberShowAsSchema, textShowAsSchema])
    .optional()
    .describe('How a number or a text is drawn'),
}

/** The options that say how results are shown. */
export interface ResultOptions {
  readonly timeZone?: string | undefined
  readonly formatting?: NumberFormatting | DateFormatting | undefined
  readonly showAs?:
    | z.output<typeof numberShowAsSchema>
    | z.output<typeof textShowAsSchema>
    | undefined
}

const defaultNumberFormatting: NumberFormatting = { type: 'decimal', precision: 2 }

/**
 * The options with what the kind of result needs: numbers and moments have a formatting. What fits the
 * kind is kept; `misfit` is the first that wasn't, if any.
 */
export function fitOptions<Options extends ResultOptions>(
  options: Options,
  kind: CellValueType,
): { readonly options: Options; readonly misfit: Misfit | undefined } {
  const { formatting, showAs, ...rest } = options
  const fittingFormat = formatting && isFormattingOf(kind, formatting) ? formatting : undefined
  const fittingShowAs = showAs && isShowAsOf(kind, showAs) ? showAs : undefined
  const shown = fittingFormat ?? defaultFormatting(kind, options.timeZone)
  const fitted = {
    ...rest,
    ...(shown ? { formatting: shown } : {}),
    ...(fittingShowAs ? { showAs: fittingShowAs } : {}),
  } as unknown as Options
  if (formatting && !fittingFormat) return { options: fitted, misfit: misfits.formatting(kind) }
  return { options: fitted, misfit: showAs && !fittingShowAs ? misfits.showAs(kind) : undefined }
}

/** What would be right where the formatting or the drawing is not one of the kind of result. */
const misfits = {
  formatting: (kind: CellValueType): Misfit => ({
    option: 'formatting',
    message:
      {
        number: 'must be the formatting of a number, with a type: the result is a number',
        dateTime: 'must be the formatting of a date, without a type: the result is a date',
        string: undefined,
        boolean: undefined,
      }[kind] ?? 'must be left out: the result is neither a number nor a date',
  }),
  showAs: (kind: CellValueType): Misfit => ({
    option: 'showAs',
    message:
      {
        number: 'must be of the type "bar" or "ring": the result is a number',
        string: 'must be of the type "url", "email" or "phone": the result is text',
        dateTime: undefined,
        boolean: undefined,
      }[kind] ?? 'must be left out: the result is neither a number nor text',
  }),
}

function defaultFormatting(kind: CellValueType, timeZone = 'UTC') {
  if (kind === 'number') return defaultNumberFormatting
  return kind === 'dateTime' ? { ...dateFormattingSchema.parse({}), timeZone } : undefined
}

function isFormattingOf(kind: CellValueType, formatting: object): boolean {
  return kind === ('type' in formatting ? 'number' : 'dateTime')
}

function isShowAsOf(kind: CellValueType, showAs: object): boolean {
  return kind === ('color' in showAs ? 'number' : 'string')
}
