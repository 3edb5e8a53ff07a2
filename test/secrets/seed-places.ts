import { makeExampleSpace } from '@gateleg/testing/http/example-space'
import type { Scene } from './scene.ts'
import { join, type Member } from './seed-accounts.ts'
import type { Mood } from './talkative-services.ts'

type Ids = Readonly<Record<string, string>>

/** Makes a space with one of everything, whose ids are answered. */
export function makePlaces(scene: Scene, owner: Member, others: readonly [Member, Member]) {
  const [member, stranger] = others
  return makeExampleSpace(
    owner,
    { member, stranger },
    {
      openSession: (email) => scene.api().accounts.signIn({ email, password: owner.password }),
      passTime: () => undefined,
    },
  )
}

/** Has people come by mailed invitations and links, and be refused. */
export async function invite(
  scene: Scene,
  { spaceId, api }: Member,
  { accounts }: Member['api'],
  inviteCode: string,
): Promise<void> {
  const emails = ['zoe@example.com']
  await api.collaborators.inviteToSpace({ spaceId, emails, role: 'viewer' })
  const token = await scene.mailed('invitation', /(?<=#invitation=)[\w-]{30,}/)
  const guest = await join(scene, 'zoe', inviteCode)
  await scene.refused(guest.api.accounts.acceptInvitation({ token: `${token}x` }))
  const missing = scene.secret('invitation that there is not')
  await scene.refused(guest.api.accounts.acceptInvitation({ token: missing }))
  await guest.api.accounts.acceptInvitation({ token })
  const link = await api.invitationLinks.createSpaceLink({ spaceId, role: 'editor' })
  const { invitationId, invitationCode = '' } = link
  const wrong = scene.secret('code of a link that is wrong')
  await scene.refused(accounts.acceptInvitationLink({ invitationId, invitationCode: wrong }))
  await accounts.acceptInvitationLink({ invitationId, invitationCode })
  scene.parts.refuseMail(true)
  const late = { spaceId, emails: ['late@example.com'], role: 'viewer' as const }
  await scene.refused(api.collaborators.inviteToSpace(late))
  scene.parts.refuseMail(false)
}

/** Has visitors of a shared view give its password, rightly and wrongly. */
export async function openShare(scene: Scene, { api }: Member, ids: Ids): Promise<void> {
  const { tableId = '', otherViewId: viewId = '' } = ids
  const password = scene.secret('password of a share')
  const view = { tableId, viewId }
  const { shareId } = await api.views.enableShare(view)
  await api.views.setShareMeta({ ...view, allowCopy: true, password })
  const { shares } = scene.api()
  await scene.refused(shares.getSharedView({ shareId }))
  const wrong = scene.secret('password of a share that is wrong')
  await scene.refused(shares.proveSharePassword({ shareId, password: wrong }))
  const { token } = await shares.proveSharePassword({ shareId, password })
  await scene.api(undefined, token).shares.getSharedView({ shareId })
  await scene.api(undefined, token).shares.listSharedRecords({ shareId, take: 5 })
  const forged = scene.api(undefined, scene.secret('token of a share that is wrong')).shares
  await scene.refused(forged.listSharedRecords({ shareId, take: 5 }))
  await scene.send({ path: `/share/${shareId}`, headers: { Accept: 'text/html' } })
}

/** Adds a login provider, shows it, changes it, and signs in by it in every mood of it. */
export async function signInByProvider(scene: Scene, owner: Member): Promise<void> {
  const clientSecret = scene.secret('client secret of a provider')
  const { spaceId, api } = owner
  const { url, state } = scene.parts.services
  const config = {
    ...{ clientId: 'library', clientSecret, issuer: url },
    ...{ authorizationUrl: `${url}/auth`, tokenUrl: `${url}/token`, userInfoUrl: `${url}/me` },
  }
  const given = { spaceId, type: 'oidc', name: 'City account', config } as const
  const { id: authenticationId } = await api.loginProviders.createLoginProvider(given)
  const one = { spaceId, authenticationId }
  await api.loginProviders.getLoginProvider(one)
  const masked = { ...config, clientSecret: '********' }
  await api.loginProviders.updateLoginProvider({ ...given, ...one, config: masked })
  const appSecret = scene.secret('secret of another provider')
  const feishu = { spaceId, type: 'feishu', name: 'Feishu' } as const
  await api.loginProviders.createLoginProvider({ ...feishu, config: { appId: 'cli', appSecret } })
  const unsaved = { ...config, clientSecret: scene.secret('client secret that is not saved') }
  const wrong = { ...given, config: { ...unsaved, issuer: 'none' } }
  await scene.refused(api.loginProviders.createLoginProvider(wrong))
  const providerId = authenticationId
  const { startSignIn, finishSignIn } = scene.api().identities
  const start = () => startSignIn({ providerId, redirect: '/welcome' })
  const comeBack = (begun: { readonly url: string; readonly flow: string }, mood: Mood) => {
    const asked = new URL(begun.url).searchParams
    state.nonce = asked.get('nonce') ?? ''
    state.mood = mood
    const code = scene.secret(`code of a provider that is ${mood}`)
    const back = { providerId, flow: begun.flow, state: asked.get('state') ?? '' }
    return finishSignIn({ ...back, code })
  }
  for (const mood of ['confused', 'refusing', 'failing'] as const) {
    await scene.refused(comeBack(await start(), mood))
  }
  const linking = { providerId, password: owner.password, redirect: '/settings' }
  const wrongPassword = scene.secret('password of a link that is wrong')
  const { startLinking } = api.identities
  await scene.refused(startLinking({ ...linking, password: wrongPassword }))
  await scene.refused(comeBack(await start(), 'well'))
  await comeBack(await startLinking(linking), 'well')
  await comeBack(await start(), 'well')
}
