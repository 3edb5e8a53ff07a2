import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onOwnClient } from '../client-guard.ts'
import { clientSettingsSchema, toKeptClient } from '../client-input.ts'
import { clientOutput, toClientOutput } from '../oauth-client.ts'

/** Replaces all that its maker says of an OAuth app. What is left out is unset; its secrets stay. */
export const updateClient = defineWrite({
  summary: 'Replace the settings of an OAuth app',
  input: clientSettingsSchema.extend({ clientId: idSchema }),
  output: clientOutput,
  access: onOwnClient('update'),
  run: async ({ tx, client, now }, { clientId: _, ...settings }) => {
    const updated = { ...client, ...toKeptClient(settings, now), version: client.version + 1 }
    await tx.oauthClients.update(updated)
    return toClientOutput(updated)
  },
})

/** Removes an OAuth app for good. Its codes and tokens are good for nothing any more. */
export const deleteClient = defineWrite({
  summary: 'Delete an OAuth app',
  input: z.object({ clientId: idSchema }),
  output: noOutput,
  access: onOwnClient('update'),
  run: ({ tx, client }) => tx.oauthClients.delete(client.id),
})
