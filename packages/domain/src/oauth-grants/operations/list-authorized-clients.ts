import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { shownPicture } from '../../accounts/users/shown-picture.ts'
import { noOutput } from '../../answers/no-output.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { listedClientOutput, toListedClient } from '../../oauth-clients/oauth-client.ts'
import { defineRead, defineWrite } from '../../use-case.ts'

/** Lists the OAuth apps that may act in the caller's name, those first that have had that for the longest time. */
export const listAuthorizedClients = defineRead({
  summary: 'List the OAuth apps that may act on my behalf',
  input: z.object({}),
  output: z.array(
    listedClientOutput
      .extend({
        scopes: z.array(z.string()).optional().describe('The actions that it may take'),
        lastUsedTime: z.string().optional().describe('When it last acted, roughly'),
        createdUser: z
          .object({ id: z.string(), name: z.string(), avatar: z.string().optional() })
          .optional()
          .describe('Who made it'),
      })
      .meta({ id: 'AuthorizedOAuthApp' }),
  ),
  access: signedIn({ sessionOnly: true }),
  run: async ({ tx, userId, publicUrl, now }) => {
    const grants = (await tx.oauthGrants.listOf(userId)).filter((one) => one.expiresTime > now)
    const byClient = Map.groupBy(grants, ({ clientId }) => clientId)
    const found = await tx.oauthClients.findAll([...byClient.keys()])
    const clients = new Map(found.map((client) => [client.id, client]))
    const makers = await tx.users.profilesOf([...new Set(found.map((one) => one.createdBy))])
    return [...byClient].flatMap(([clientId, own]) => {
      const client = clients.get(clientId)
      if (!client) return []
      const maker = makers.get(client.createdBy)
      const scopes = client.scopes.filter((one) => own.some((grant) => grant.scopes.includes(one)))
      const lastUsedTime = own
        .flatMap((grant) => grant.lastUsedTime ?? [])
        .toSorted()
        .at(-1)
      return {
        ...toListedClient(client),
        ...(scopes.length > 0 && { scopes }),
        ...(lastUsedTime !== undefined && { lastUsedTime }),
        ...(maker && {
          createdUser: {
            ...{ id: client.createdBy, name: maker.name },
            ...shownPicture({ publicUrl }, maker),
          },
        }),
      }
    })
  },
})

/** Ends what an OAuth app may do in the caller's name: its codes and tokens are good for nothing any more. */
export const revokeClientAccess = defineWrite({
  summary: 'Revoke what an OAuth app may do on my behalf',
  input: z.object({ clientId: idSchema }),
  output: noOutput,
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  run: async ({ tx, userId, now }, { clientId }) => {
    const grants = await tx.oauthGrants.listOf(userId)
    const isThere = grants.some((one) => one.clientId === clientId && one.expiresTime > now)
    if (!isThere) throw notFound('OAuth app', clientId, undefined, 'you let none of this id act')
    await tx.oauthGrants.deleteOfClient({ userId, clientId })
  },
})
