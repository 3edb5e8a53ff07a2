import type { Actor } from '@gateleg/domain/access/actor'
import type { Action } from '@gateleg/domain/access/roles'
import { actorBy } from '@gateleg/testing/worlds/token-bearer'
import type { Person, World } from '@gateleg/testing/worlds/world'

/** Registers an OAuth app that may ask for these scopes; answers how it gets a token of somebody for some of them. */
export async function openOAuthApp(
  world: World,
  { api: { oauthClients } }: Person,
  most: readonly Action[],
) {
  const { clientId: client_id } = await oauthClients.createClient({
    ...{ name: 'Reader', homepage: 'https://reader.example.com' },
    ...{ redirectUris: ['https://reader.example.com/back'], scopes: [...most] },
  })
  const { secret: client_secret } = await oauthClients.createSecret({ clientId: client_id })
  return async ({ api: { oauthGrants } }: Person, scopes: readonly Action[]): Promise<Actor> => {
    const { url } = await oauthGrants.startAuthorization({
      ...{ response_type: 'code', client_id },
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    })
    // Who lets it do as much already is not asked again.
    const [, asked] = /^decision\/(.+)$/.exec(url) ?? []
    const transactionId = asked && decodeURIComponent(asked)
    const answer = transactionId
      ? await oauthGrants.decideAuthorization({ transactionId, allow: true })
      : { url }
    const code = new URL(answer.url).searchParams.get('code') ?? ''
    const proof = { grant_type: 'authorization_code', client_id, client_secret }
    const { createTokens } = world.engine.public.oauthGrants
    const { access_token } = await createTokens({ ...proof, code })
    return actorBy(world.engine, access_token)
  }
}
