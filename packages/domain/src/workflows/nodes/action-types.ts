import { z } from 'zod'
import { filterSchema } from '../../fields/filter.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { sortSchema } from '../../queries/sort.ts'
import { storableTextUpTo } from '../../values/storable-text.ts'
import type { NodeType } from './node-type.ts'
import { cellsSchema, template, templateOrNone } from './template.ts'

const tableId = idSchema.describe('The table that it is done in')
const fields = cellsSchema.describe('The values of cells, by the ids of their fields')
const name = storableTextUpTo(limits.nameLength).min(1)
const addresses = z.array(template).min(1).max(limits.nodeListItems)
const longText = storableTextUpTo(limits.scriptLength)

/** What a workflow can do. */
export const actionTypes = {
  sendEmail: {
    config: z.strictObject({
      to: addresses.describe('Who gets it'),
      cc: addresses.optional().describe('Who gets a copy'),
      bcc: addresses.optional().describe('Who gets a copy that the others don’t see'),
      replyTo: template.optional().describe('Where an answer goes'),
      subject: template.describe('What stands above it'),
      body: longText.describe('What it says'),
      format: z.enum(['text', 'html']).optional().describe('What the body is; text if left out'),
    }),
  },
  createRecord: { config: z.strictObject({ tableId, fields }) },
  updateRecord: {
    config: z.strictObject({
      tableId,
      recordId: template.describe('The record that is changed'),
      fields,
    }),
  },
  getRecords: {
    config: z.strictObject({
      tableId,
      viewId: idSchema.optional().describe('The view that shows them'),
      filter: filterSchema.optional().describe('Which records are read; all where it is left out'),
      sort: sortSchema.optional().describe('In which order'),
      take: z.int().min(1).max(limits.recordsPerNode).optional().describe('How many at most'),
    }),
  },
  httpRequest: {
    config: z.strictObject({
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).describe('How it is sent'),
      url: template.describe('Where it is sent'),
      headers: z
        .array(z.strictObject({ name, value: templateOrNone }))
        .max(limits.nodeListItems)
        .optional()
        .describe('What is sent before the body'),
      body: longText.optional().describe('What is sent'),
      timeoutSeconds: z
        .int()
        .min(1)
        .max(limits.requestNodeSeconds)
        .optional()
        .describe('How long an answer is waited for'),
    }),
  },
  aiGenerate: {
    config: z.strictObject({
      prompt: longText.min(1).describe('What is asked'),
      modelKey: name.optional().describe('Which model is asked'),
    }),
  },
  script: {
    config: z.strictObject({
      code: longText.min(1).describe('What is run'),
      inputs: z
        .array(z.strictObject({ name, value: templateOrNone }))
        .max(limits.nodeListItems)
        .optional()
        .describe('What it is given, by names of its own'),
    }),
  },
} as const satisfies Record<string, NodeType>

/** A kind of action. */
type ActionType = keyof typeof actionTypes

/** All kinds of actions. */
export const actionTypeNames = Object.keys(actionTypes) as [ActionType, ...ActionType[]]
