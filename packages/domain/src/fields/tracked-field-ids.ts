import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { limits } from '../limits.ts'
import { isUnique } from './cells/unique-items.ts'

/** The fields whose changes a last-modified field follows; all of them where it names none. */
export const trackedFieldIdsSchema = z
  .array(idSchema)
  .max(limits.fieldsPerTable)
  .refine(isUnique, 'must name each field once')
  .optional()
