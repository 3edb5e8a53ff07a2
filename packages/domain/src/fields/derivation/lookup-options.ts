import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { relationships } from '../link-side.ts'

/** What a lookup or rollup reads: which field, through which link. */
const reading = z.strictObject({
  foreignTableId: idSchema,
  lookupFieldId: idSchema,
  linkFieldId: idSchema,
})

/**
 * What a caller says of the field that a lookup or rollup reads. What the service adds to it may be sent
 * back, and is worked out anew.
 */
export const lookupOptionsInput = z
  .strictObject({
    ...reading.shape,
    relationship: z.unknown().optional(),
    baseId: z.unknown().optional(),
    fkHostTableName: z.unknown().optional(),
    selfKeyName: z.unknown().optional(),
    foreignKeyName: z.unknown().optional(),
    filter: z
      .null('filters of lookups are not available yet')
      .optional()
      .meta({ 'x-not-yet': true }),
  })
  .transform(({ foreignTableId, lookupFieldId, linkFieldId }) => ({
    foreignTableId,
    lookupFieldId,
    linkFieldId,
  }))
export type LookupOptionsInput = z.output<typeof lookupOptionsInput>

/** The same, with what the link is like; as it is stored and answered. */
export const lookupOptionsSchema = reading.extend({
  relationship: z.enum(relationships),
  /** The base of the linked table, where it is another one. */
  baseId: z.string().optional(),
  fkHostTableName: z.string(),
  selfKeyName: z.string(),
  foreignKeyName: z.string(),
})

/** What a lookup or rollup reads, and what its link is like. */
export type LookupOptions = z.output<typeof lookupOptionsSchema>
