import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { DomainError, notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { secretMask } from '../../login-providers/provider-config.ts'
import { defineWrite } from '../../use-case.ts'
import { onOwnClient } from '../client-guard.ts'

/** Letters of a secret by which its maker tells it from others. */
const shownLetters = 4

/** Gives an OAuth app one more secret, shown in this answer alone. */
export const createSecret = defineWrite({
  summary: 'Add a secret to an OAuth app',
  input: z.object({ clientId: idSchema }),
  output: z.object({
    id: z.string(),
    secret: z.string().describe('Shown this once'),
    maskedSecret: z.string().describe('What stands for it later on'),
    lastUsedTime: z.string().optional().describe('When it was last used: not yet'),
  }),
  answers: 'secret',
  access: onOwnClient('update'),
  needs: ['secrets'],
  run: async ({ tx, client, ids, now, secrets }) => {
    const { length } = client.secrets
    if (length >= limits.oauthSecretsPerClient) {
      const message = `The app has ${length} secrets, which is the most: delete one first`
      throw new DomainError('restricted_resource', message)
    }
    const secret = secrets.token()
    const masked = `${secretMask}${secret.slice(-shownLetters)}`
    const added = { id: ids.next('oauthSecret'), hash: secrets.digest(secret), masked }
    const version = client.version + 1
    const all = [...client.secrets, added]
    await tx.oauthClients.update({ ...client, secrets: all, lastModifiedTime: now, version })
    return { id: added.id, secret, maskedSecret: masked, version }
  },
})

/** Takes a secret from an OAuth app: it proves nothing any more. Tokens that were got with it stay good. */
export const deleteSecret = defineWrite({
  summary: 'Delete a secret of an OAuth app',
  input: z.object({ clientId: idSchema, secretId: idSchema }),
  output: noOutput,
  access: onOwnClient('update'),
  run: async ({ tx, client, now }, { secretId }) => {
    const left = client.secrets.filter(({ id }) => id !== secretId)
    if (left.length === client.secrets.length) throw notFound('secret', secretId)
    const version = client.version + 1
    await tx.oauthClients.update({ ...client, secrets: left, lastModifiedTime: now, version })
  },
})
