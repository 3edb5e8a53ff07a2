import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { describedAs } from '../input/described-as.ts'
import { limits } from '../limits.ts'
import { descriptionSchema, nameSchema } from '../values/names.ts'
import { sentObject } from '../values/sent-object.ts'
import { actionTypeNames, actionTypes } from './nodes/action-types.ts'
import { logicTypeNames, logicTypes } from './nodes/logic-types.ts'
import type { NodeType } from './nodes/node-type.ts'
import { draftConfigsOf } from './nodes/node-types.ts'
import { triggerTypeNames, triggerTypes } from './nodes/trigger-types.ts'

/** What people call a node and say of it. */
const nodeTextShape = {
  name: nameSchema.optional().describe('What people call the node'),
  description: descriptionSchema.optional().describe('What people say of the node'),
}

const parentShape = {
  parentNodeId: idSchema.describe(
    'The node that it comes right after; what came after that follows it',
  ),
}

/** The configuration of a node of one of the types, of which a member may be missing. */
function configSchema(types: Readonly<Record<string, NodeType>>) {
  return describedAs(sentObject(limits.nodeConfigMembers), () => draftConfigsOf(types))
    .optional()
    .describe('What the type takes; what is missing can be added before the workflow is activated')
}

/** A trigger as it is sent. */
export const triggerSchema = z.object({
  type: z.enum(triggerTypeNames).describe('What sets the workflow off'),
  ...nodeTextShape,
  config: configSchema(triggerTypes),
})
export type SentTrigger = z.output<typeof triggerSchema>

/** An action as it is sent. */
export const actionSchema = z.object({
  type: z.enum(actionTypeNames).describe('What is done'),
  ...nodeTextShape,
  config: configSchema(actionTypes),
  ...parentShape,
})

/** Logic as it is sent. */
export const logicSchema = z.object({
  type: z.enum(logicTypeNames).describe('How it is decided what is done'),
  ...nodeTextShape,
  config: configSchema(logicTypes),
  ...parentShape,
})

/** A change of a trigger as it is sent. */
export const triggerChangeSchema = z.object({
  ...nodeTextShape,
  config: configSchema(triggerTypes),
})

/** A change of an action as it is sent. */
export const actionChangeSchema = z.object({ ...nodeTextShape, config: configSchema(actionTypes) })

/** A change of logic as it is sent. */
export const logicChangeSchema = z.object({ ...nodeTextShape, config: configSchema(logicTypes) })

/** What is changed of a node; what is undefined stays. */
export type NodeChange = z.output<typeof triggerChangeSchema>
