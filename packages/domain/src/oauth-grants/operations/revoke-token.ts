import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { findTokenId } from '../../access-tokens/token-text.ts'
import { noOutput } from '../../answers/no-output.ts'
import { DomainError } from '../../errors.ts'
import { defineWrite } from '../../use-case.ts'
import { familyOf } from '../grant-tokens.ts'
import { clientProof, proveClient, secretText } from '../prove-client.ts'

/** Ends what an app may do by a token of its own: that, and all that was got with it. Says nothing of a token that is none (RFC 7009). */
export const revokeToken = defineWrite({
  summary: 'Give up a token of an OAuth app',
  input: z.object({
    ...clientProof,
    token: secretText.describe('An access token, or a refresh token'),
  }),
  output: noOutput,
  access: anyone(),
  needs: ['secrets'],
  run: async (context, request) => {
    const { tx, secrets } = context
    const proven = await proveClient(context, request)
    if (proven instanceof DomainError) return proven
    const { token } = request
    const grant = await tx.oauthGrants.find(findTokenId(token) ?? '', 'update')
    if (grant?.clientId !== proven.client.id) return undefined
    const isOfGrant =
      secrets.equal(grant.familyHash, secrets.digest(familyOf(token))) ||
      secrets.equal(grant.accessHash ?? '', secrets.digest(token))
    if (!isOfGrant) return undefined
    await proven.forgive()
    await tx.oauthGrants.delete(grant.id)
    return undefined
  },
})
