import { exportEverything, readEverything, readPages } from './read-everything.ts'
import { sendWrongBodies } from './refused-calls.ts'
import { sendWrongRequests } from './refused-requests.ts'
import type { Scene } from './scene.ts'
import { changeCredentials, join, type Member, tryToJoin, visit } from './seed-accounts.ts'
import { invite, makePlaces, openShare, signInByProvider } from './seed-places.ts'
import { useAccessTokens, useApp, usePlugin } from './seed-programs.ts'
import { workInBase } from './work-in-base.ts'

/** What was done, and by whom. */
export interface Lived {
  readonly owner: Member
  readonly other: Member
  readonly ids: Readonly<Record<string, string>>
  /** Operations that read and that nobody was answered. */
  readonly unanswered: readonly string[]
}

/** Does on a new server all that takes or makes secrets, rightly and wrongly, and reads all that there is then. */
export async function liveThrough(scene: Scene): Promise<Lived> {
  const root = await join(scene, 'root')
  const { code } = await root.api.accounts.createInviteCode({ uses: 10 })
  const owner = await join(scene, 'ada', code)
  const others = [await join(scene, 'bob', code), await join(scene, 'eve', code)] as const
  await tryToJoin(scene, owner.email)
  const ids = await makePlaces(scene, owner, others)
  await signInByProvider(scene, owner)
  await useApp(scene, owner, ids)
  await usePlugin(scene, owner, ids)
  const token = await useAccessTokens(scene, owner, ids.baseId ?? '')
  await invite(scene, owner, others[1].api, code)
  await openShare(scene, owner, ids)
  await workInBase(scene, owner, ids)
  await visit(scene, others[0])
  const sessions = [owner, ...others, root].map(({ accessToken }) => accessToken)
  const unanswered = await readEverything(scene, ids, [...sessions, token, undefined])
  await readPages(scene, ids, owner.accessToken)
  await exportEverything(scene, ids, owner.accessToken)
  return { owner, other: others[0], ids, unanswered }
}

/** Calls what is refused, with secrets in all places, and ends an account; how many bodies were refused. */
export async function callWrongly(scene: Scene, { owner, other, ids }: Lived): Promise<number> {
  await sendWrongRequests(scene, ids, owner.accessToken)
  const refused = await sendWrongBodies(scene, ids, owner.accessToken)
  const changed = await changeCredentials(scene, other)
  const { accounts } = changed.api
  const wrong = scene.secret('password of an end that is wrong')
  await scene.refused(accounts.deleteAccount({ password: wrong }))
  await accounts.deleteAccount({ password: changed.password })
  return refused
}
