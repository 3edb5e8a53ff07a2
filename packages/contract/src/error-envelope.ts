import { type ErrorCode, errorCodes } from '@gateleg/domain/errors'
import { z } from 'zod'

/** The body of every answer that is not a success. */
export const errorEnvelope = z
  .object({
    message: z.string().describe('What was wrong, and what would be right'),
    status: z.int().min(400).max(599).describe('The status of the answer'),
    code: z
      .enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]])
      .describe('What went wrong, for programs'),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Details for programs: issues, retryAfterSeconds, incidentId, …'),
  })
  .meta({ id: 'Error' })

/** The body of an answer that is not a success, as programs have it. */
export type ErrorEnvelope = z.output<typeof errorEnvelope>
