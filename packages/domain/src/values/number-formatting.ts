import { z } from 'zod'
import { limits } from '../limits.ts'
import { storableTextUpTo } from './storable-text.ts'

const precision = z.int().min(0).max(limits.numberPrecision).default(2)

/** How a number is shown: with how many decimals, and as what. */
export const numberFormattingSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('decimal'), precision }),
  z.strictObject({ type: z.literal('percent'), precision }),
  z.strictObject({
    type: z.literal('currency'),
    precision,
    symbol: storableTextUpTo(limits.currencySymbolLength),
  }),
])

/** How a field shows numbers. */
export type NumberFormatting = z.output<typeof numberFormattingSchema>
