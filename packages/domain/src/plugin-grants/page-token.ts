import type { TokenActor } from '../access/actor.ts'
import { isInLife } from '../accounts/sessions/is-in-life.ts'
import { isOpen } from '../accounts/sessions/session.ts'
import { type Timestamp, toTimestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import { scopesOfShipped } from '../plugins/shipped-plugins.ts'
import { fromSigned, type Secrets, toSigned } from '../secrets.ts'
import type { ReadTx } from '../store.ts'

/** What the token of a plugin's page says. It is signed and kept nowhere: a page that opens makes no room by ending others'. */
interface PageToken {
  readonly installId: string
  readonly userId: string
  /** The session that it ends with; undefined for a user that an embedding program vouches for. */
  readonly sessionId: string | undefined
  /** Milliseconds since 1970-01-01 UTC at which it ends in any case. */
  readonly expiresMs: number
}

const prefix = 'page'

/** Whether the text has the form of a token of a plugin's page. */
export function isPageToken(text: string): boolean {
  return text.startsWith(`${prefix}.`)
}

/** The text that the page sends: the parts of the id, and the user. */
export function toPageToken(secrets: Pick<Secrets, 'sign'>, token: PageToken): string {
  return toSigned(secrets, [...partsOf(token), token.userId].join('.'))
}

/** What the text says; undefined for one that we did not make. */
export function readPageToken(
  secrets: Pick<Secrets, 'sign' | 'equal'>,
  text: string,
): PageToken | undefined {
  const said = fromSigned(secrets, text)?.split('.')
  return said && fromParts(said, said.slice(partsOfId).join('.'))
}

/** The id of the token, by which the URLs of files that it was shown name it. */
function idOf(token: PageToken): string {
  return partsOf(token).join('-')
}

/** The token of the id, which is the user's; undefined for an id that is none of a page's token. */
export function findPageTokenOf(userId: string, tokenId: string): PageToken | undefined {
  const parts = tokenId.split('-')
  return parts[0] === prefix ? fromParts(parts, userId) : undefined
}

const partsOfId = 4

function partsOf({ installId, sessionId = '', expiresMs }: PageToken): readonly string[] {
  return [prefix, installId, sessionId, String(expiresMs)]
}

function fromParts(
  [, installId = '', sessionId, expires]: readonly string[],
  userId: string,
): PageToken {
  return { installId, userId, sessionId: sessionId || undefined, expiresMs: Number(expires) }
}

/**
 * The install of the id that a page acts for, and the scopes of its plugin. Undefined where its plugin does not ship, or the install
 * is not there: what lies in the trash, or on something that does, is not there for anybody.
 */
export async function findPageInstall(tx: InstallFinder, id: string, userId: string) {
  const install = await tx.pluginInstalls.find(id)
  const scopes = install && scopesOfShipped.get(install.pluginId)
  if (!scopes) return undefined
  const { tableId, positionId } = install
  const place =
    tableId === undefined
      ? await tx.dashboards.find(positionId, 'none')
      : await tx.access.findTable(tableId, userId, 'none')
  return place && { install, scopes }
}

type InstallFinder = Pick<ReadTx, 'pluginInstalls' | 'dashboards' | 'access'>

/**
 * Who acts by way of the token: its user, in the base of the install alone, within what the plugin is for. Undefined where it has
 * expired, its session has ended, or the install is there no more.
 */
export async function findPageActor(
  tx: InstallFinder & Pick<ReadTx, 'sessions'>,
  token: PageToken,
  now: Timestamp,
): Promise<TokenActor | undefined> {
  const { installId, userId, sessionId, expiresMs } = token
  const lifeMs = limits.pluginTokenMinutes * 60_000
  if (!isInLife(toTimestamp(expiresMs), lifeMs, now)) return undefined
  if (sessionId !== undefined) {
    const session = await tx.sessions.find(sessionId)
    if (session?.userId !== userId || !isOpen(session, now)) return undefined
  }
  const found = await findPageInstall(tx, installId, userId)
  if (!found) return undefined
  const { install, scopes } = found
  const reach = { spaceIds: new Set<string>(), baseIds: new Set([install.baseId]) }
  return { kind: 'token', userId, tokenId: idOf(token), installId, scopes: new Set(scopes), reach }
}
