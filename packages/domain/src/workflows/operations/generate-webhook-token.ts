import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { changeFlow } from '../change-flow.ts'
import { flowOf } from '../workflow.ts'
import { onFlowNode } from '../workflow-guard.ts'

/** Makes what callers of a webhook prove themselves by, in the place of what was made before; it is shown in this answer alone. */
export const generateWebhookToken = defineWrite({
  summary: 'Make a token for the webhook of a workflow',
  input: z.object({ baseId: idSchema, workflowId: idSchema, triggerId: idSchema }),
  output: z.object({
    token: z.string().describe('What names the webhook to whoever calls it'),
    secret: z.string().describe('What callers sign by'),
  }),
  answers: 'secret',
  access: onFlowNode('triggerId', 'automation|update'),
  needs: ['secrets'],
  run: async (context) => {
    const { workflow, node, now, secrets } = context
    if (node.type !== 'webhook')
      throw invalidAt(['triggerId'], 'must be a trigger of the type webhook')
    const token = secrets.token()
    const secret = secrets.token()
    const webhook = { tokenHash: secrets.digest(token), secretHash: secrets.digest(secret) }
    const nodes = flowOf(workflow).nodes.map((one) =>
      one.id === node.id ? { ...one, webhook, lastModifiedTime: now } : one,
    )
    await changeFlow(context, workflow, nodes)
    return { token, secret }
  },
})
