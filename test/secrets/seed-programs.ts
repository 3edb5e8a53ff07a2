import { provingCode } from '@gateleg/testing/operations/oauth-grants'
import type { Scene } from './scene.ts'
import type { Member } from './seed-accounts.ts'

const place = 'https://room.example.com/callback'
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

type Ids = Readonly<Record<string, string>>

/** Has access tokens made, changed, used and refused, with keys that repeat calls. */
export async function useAccessTokens(scene: Scene, { api }: Member, baseId: string) {
  const idempotencyKey = scene.word('key of a repeated call')
  const scopes = ['base|read', 'table|read', 'record|read', 'record|update'] as const
  const asked = { name: 'Nightly', expiredTime: '2999-12-31', baseIds: [baseId] }
  const made = { ...asked, scopes: [...scopes] }
  const first = await api.accessTokens.createToken(made, { idempotencyKey })
  await scene.refused(api.accessTokens.createToken(made, { idempotencyKey }))
  const { id, token } = await api.accessTokens.createToken(made)
  await scene.api(token).bases.getBase({ baseId })
  await scene.refused(scene.api(token).accessTokens.listTokens({}))
  await scene.refused(scene.api(token).spaces.createSpace({ name: 'None' }))
  const again = await api.accessTokens.refreshToken({ id, expiredTime: '2999-12-30' })
  await scene.refused(scene.api(token).bases.getBase({ baseId }))
  await api.accessTokens.updateToken({ ...made, id, name: 'Weekly' })
  await api.accessTokens.deleteToken({ id: first.id })
  return again.token
}

/** Has an OAuth app of its own trade what it got, rightly and wrongly, and give it up. */
export async function useApp(scene: Scene, { api }: Member, ids: Ids): Promise<void> {
  const { oauthClientId: clientId = '', oauthClientSecret: secret = '', oauthCode = '' } = ids
  const post = (path: string, sent: Readonly<Record<string, string>>, headers: object = {}) =>
    scene.send({
      ...{ method: 'POST', path: `/api/oauth/${path}`, headers: { ...form, ...headers } },
      body: String(new URLSearchParams(sent)),
    })
  const trade = (sent: Readonly<Record<string, string>>) =>
    post('access_token', { redirect_uri: place, client_id: clientId, ...sent })
  const byCode = { grant_type: 'authorization_code', code: oauthCode }
  const wrong = scene.secret('secret of an app that is wrong')
  await trade({ ...byCode, client_secret: wrong })
  await trade({
    ...byCode,
    code: scene.secret('code of an app that is wrong'),
    client_secret: secret,
  })
  const basic = Buffer.from(`${clientId}:${secret}`).toString('base64')
  const inHeader = { ...byCode, redirect_uri: place }
  const given = await post('access_token', inHeader, { Authorization: `Basic ${basic}` })
  const tokens = JSON.parse(given.text)
  if (given.status !== 200) throw new Error(given.text)
  const byRefresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const renewed = JSON.parse((await trade({ ...byRefresh, client_secret: secret })).text)
  await scene.api(renewed.access_token).bases.getBase({ baseId: ids.baseId ?? '' })
  await scene.refused(scene.api(renewed.access_token).accounts.listSessions({}))
  const { verifier, challenge } = provingCode
  const { url } = await api.oauthGrants.startAuthorization({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: place },
    ...{ scope: 'base|read record|read', state: scene.word('state of an app') },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  })
  const code = new URL(url, place).searchParams.get('code') ?? ''
  await trade({ ...byCode, code, client_secret: secret, code_verifier: verifier })
  const ended = { token: renewed.refresh_token, client_id: clientId, client_secret: secret }
  await post('revoke', { ...ended, client_secret: wrong })
  await post('revoke', ended)
  await scene.refused(scene.api(renewed.access_token).bases.getBase({ baseId: ids.baseId ?? '' }))
}

/** Has a plugin act with its tokens, be refused, and get another secret. */
export async function usePlugin(scene: Scene, { api }: Member, ids: Ids): Promise<void> {
  const { pluginId = '', pluginSecret: secret = '', baseId = '', pluginCode: authCode = '' } = ids
  const grants = scene.api().pluginGrants
  const asked = { pluginId, baseId, scopes: ['base|read' as const], authCode }
  const wrong = scene.secret('secret of a plugin that is wrong')
  await scene.refused(grants.createPluginToken({ ...asked, secret: wrong }))
  const code = scene.secret('code of a plugin that is wrong')
  await scene.refused(grants.createPluginToken({ ...asked, secret, authCode: code }))
  const { accessToken, refreshToken } = await grants.createPluginToken({ ...asked, secret })
  await scene.api(accessToken).bases.getBase({ baseId })
  await scene.refused(scene.api(accessToken).spaces.listSpaces({}))
  await scene.refused(grants.refreshPluginToken({ pluginId, secret: wrong, refreshToken }))
  await grants.refreshPluginToken({ pluginId, secret, refreshToken })
  await scene.refused(grants.refreshPluginToken({ pluginId, secret, refreshToken }))
  await api.plugins.regeneratePluginSecret({ pluginId })
}
