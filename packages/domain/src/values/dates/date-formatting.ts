import { z } from 'zod'
import { timeZoneSchema } from './time-zone-schema.ts'

/** The forms of dates that a field may show. */
export const datePresets = [
  'M/D/YYYY',
  'D/M/YYYY',
  'YYYY/MM/DD',
  'YYYY-MM-DD',
  'YYYY-MM',
  'MM-DD',
  'YYYY',
  'MM',
  'DD',
] as const

export type DatePreset = (typeof datePresets)[number]

/** The forms of times that a field may show after the date. */
export const timePresets = ['HH:mm', 'hh:mm A', 'None'] as const

/** How a moment is shown: which parts of the date, the time or none, and the time zone. */
export const dateFormattingSchema = z
  .strictObject({
    date: z.enum(datePresets).default('YYYY-MM-DD'),
    time: z.enum(timePresets).default('None'),
    timeZone: timeZoneSchema.default('UTC'),
  })
  .prefault({})

/** How a field shows dates. */
export type DateFormatting = z.output<typeof dateFormattingSchema>
