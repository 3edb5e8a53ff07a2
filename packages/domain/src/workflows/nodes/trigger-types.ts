import { z } from 'zod'
import { filterSchema } from '../../fields/filter.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { timeZoneSchema } from '../../values/dates/time-zone-schema.ts'
import { textUpTo } from '../../values/storable-text.ts'
import type { NodeType } from './node-type.ts'

const tableId = idSchema.describe('The table whose records are watched')
const watched = {
  tableId,
  viewId: idSchema.optional().describe('The view that shows the records; all where it is left out'),
  watchFieldIds: z
    .array(idSchema)
    .min(1)
    .max(limits.watchedFields)
    .optional()
    .describe('The fields whose changes count; all where they are left out'),
}

const schedule = z.strictObject({
  unit: z
    .enum(['minutes', 'hours', 'days', 'weeks', 'months'])
    .describe('What the time between two runs is counted in'),
  interval: z
    .int()
    .min(1)
    .max(limits.scheduleInterval)
    .describe('How many of them lie between two runs'),
  startTime: textUpTo(limits.momentLength)
    .check(z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-01T08:00:00Z' }))
    .optional()
    .describe('When it runs first; as soon as it is active where that is left out'),
  timeZone: timeZoneSchema
    .optional()
    .describe('The zone whose days and months are counted; UTC where it is left out'),
})

/** What can set a workflow off. */
export const triggerTypes = {
  recordCreated: { config: z.strictObject({ tableId }) },
  recordUpdated: { config: z.strictObject(watched) },
  recordCreatedOrUpdated: { config: z.strictObject(watched) },
  recordMatchesConditions: {
    config: z.strictObject({
      tableId,
      filter: filterSchema.describe('What a record must come to meet'),
    }),
  },
  buttonClick: {
    config: z.strictObject({
      tableId,
      fieldId: idSchema.describe('The field of buttons that are pressed'),
    }),
    fieldType: 'button',
  },
  formSubmitted: {
    config: z.strictObject({ tableId, viewId: idSchema.describe('The form that is sent in') }),
    viewType: 'form',
  },
  scheduledTime: { config: schedule },
  webhook: {
    config: z.strictObject({
      method: z
        .enum(['GET', 'POST'])
        .optional()
        .describe('How it is called; by POST where it is left out'),
    }),
  },
} as const satisfies Record<string, NodeType>

/** A kind of trigger. */
type TriggerType = keyof typeof triggerTypes

/** All kinds of triggers. */
export const triggerTypeNames = Object.keys(triggerTypes) as [TriggerType, ...TriggerType[]]
