import { z } from 'zod'
import { describedAs } from '../described-as.ts'
import { limits } from '../limits.ts'
import { descriptionSchema, nameSchema } from '../values/names.ts'
import { sentObject } from '../values/sent-object.ts'
import { draftConfigsOf } from './node-types.ts'
import { triggerTypeNames, triggerTypes } from './trigger-types.ts'

/** What people call a node and say of it. */
export const nodeTextShape = {
  name: nameSchema.optional().describe('What people call the node'),
  description: descriptionSchema.optional().describe('What people say of the node'),
}

/** A trigger as it is sent. */
export const triggerSchema = z.object({
  type: z.enum(triggerTypeNames).describe('What sets the workflow off'),
  ...nodeTextShape,
  config: describedAs(sentObject(limits.nodeConfigMembers), () => draftConfigsOf(triggerTypes))
    .optional()
    .describe('What the type takes; what is missing can be added before the workflow is activated'),
})
export type SentTrigger = z.output<typeof triggerSchema>
