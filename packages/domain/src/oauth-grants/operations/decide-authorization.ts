import { z } from 'zod'
import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { toListedClient } from '../../oauth-clients/oauth-client.ts'
import { isSamePlace, withParameters } from '../../oauth-clients/redirect-uri.ts'
import type { Ports } from '../../ports.ts'
import type { ReadTx } from '../../store.ts'
import { type CallContext, defineRead, defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { giveCode } from '../grant-tokens.ts'
import { isRefused, refuseQuestion } from '../refused-question.ts'
import { fromTransactionId, noQuestion } from '../transaction.ts'

const transactionId = textUpTo(limits.oauthTransactionLength)

/** Answers what an app asks the caller for: what a page shows that asks whether to allow it. */
export const getAuthorization = defineRead({
  summary: 'Get what an OAuth app asks me for',
  input: z.object({ transactionId }),
  output: z.object({
    name: z.string().describe('The name of the app'),
    description: z.string().optional().describe('What it says of itself'),
    homepage: z.string().describe('The URL of its own page'),
    logo: z.string().optional().describe('The URL of its picture'),
    scopes: z.array(z.string()).optional().describe('The actions that it asks for'),
    redirectUri: z.string().describe('Where the browser goes back to'),
    user: z
      .object({ id: z.string(), name: z.string(), email: z.string() })
      .describe('In whose name it would act'),
  }),
  access: onOwnAccount({ sessionOnly: true }),
  needs: ['secrets'],
  run: async (context, input) => {
    const { question, client } = await findQuestion(context, input.transactionId)
    const { clientId: _, ...shown } = toListedClient(client)
    const { scopes, request } = question
    const { id, name, email } = context.user
    return {
      ...shown,
      ...(scopes.length > 0 && { scopes: [...scopes] }),
      ...{ redirectUri: request.redirectUri, user: { id, name, email } },
    }
  },
})

/** Lets an app do what it asks the caller for, or refuses it. */
export const decideAuthorization = defineWrite({
  summary: 'Allow or refuse what an OAuth app asks me for',
  input: z.object({ transactionId, allow: z.boolean().describe('Whether the app may do it') }),
  output: z.object({ url: z.string().describe('Where the browser is to go: back to the app') }),
  answers: 'secret',
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['secrets'],
  run: async (context, input) => {
    const { transactionId: id } = input
    const { question } = await findQuestion(context, id)
    if (input.allow) {
      if (await isRefused(context, id)) throw noQuestion(id)
      return { url: await giveCode(context, question) }
    }
    await refuseQuestion(context, id)
    const { request, state } = question
    return { url: withParameters(request.redirectUri, { error: 'access_denied', state }) }
  },
})

type Context = CallContext &
  Pick<Ports, 'secrets'> & { readonly tx: ReadTx; readonly userId: string }

/** The question to the caller, and the app that asks it, as long as it may ask for that. */
async function findQuestion({ tx, now, secrets, userId }: Context, id: string) {
  const question = fromTransactionId(secrets, id, { userId, now })
  const client = await tx.oauthClients.find(question.clientId)
  const { redirectUri } = question.request
  // Its maker may have withdrawn the place since, for good reason.
  if (!client?.redirectUris.some((one) => isSamePlace(one, redirectUri))) {
    throw notFound('OAuth app', question.clientId)
  }
  return { question, client }
}
