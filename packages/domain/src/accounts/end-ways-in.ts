import type { WriteTx } from '../store.ts'

/** Ends whatever signs the user in without their password, or acts for them: sessions, identities, access tokens, what plugins and OAuth apps were allowed. */
export async function endWaysIn(
  tx: Pick<WriteTx, 'sessions' | 'identities' | 'accessTokens' | 'pluginGrants' | 'oauthGrants'>,
  userId: string,
): Promise<void> {
  await tx.sessions.deleteOthers(userId, undefined)
  await tx.identities.deleteOfUser(userId)
  await tx.accessTokens.deleteOfUser(userId)
  await tx.pluginGrants.deleteOldest({ userId }, 0)
  await tx.oauthGrants.deleteOfUser(userId)
}
