import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onOwnClient } from '../client-guard.ts'
import {
  clientOutput,
  listedClientOutput,
  toClientOutput,
  toListedClient,
} from '../oauth-client.ts'

/** Lists the OAuth apps that the caller made, oldest first. */
export const listClients = defineRead({
  summary: 'List my OAuth apps',
  input: z.object({}),
  output: z.array(listedClientOutput),
  access: signedIn({ sessionOnly: true }),
  run: async ({ tx, userId }) => (await tx.oauthClients.listOf(userId)).map(toListedClient),
})

/** Answers one OAuth app that the caller made, its secrets masked. */
export const getClient = defineRead({
  summary: 'Get an OAuth app',
  input: z.object({ clientId: idSchema }),
  output: clientOutput,
  access: onOwnClient(),
  run: async ({ client }) => toClientOutput(client),
})
