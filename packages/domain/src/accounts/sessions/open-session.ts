import { later } from '../../clock.ts'
import { limits } from '../../limits.ts'
import type { Ports } from '../../ports.ts'
import type { WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import { dayMs } from '../../values/dates/time-zone.ts'

/**
 * Opens a session of the user where the call came from, in place of their oldest where they have as many
 * as may be. Returns its token, which is kept nowhere.
 */
export async function openSession(
  {
    tx,
    now,
    ids,
    origin,
    secrets,
  }: CallContext & Pick<Ports, 'secrets'> & { readonly tx: WriteTx },
  userId: string,
): Promise<string> {
  const token = secrets.token()
  await tx.sessions.deleteOldest(userId, limits.sessionsPerUser - 1)
  await tx.sessions.insert({
    id: ids.next('session'),
    userId,
    tokenHash: secrets.digest(token),
    address: origin.address,
    userAgent: origin.userAgent?.slice(0, limits.shortTextLength),
    createdTime: now,
    expiresTime: later(now, limits.sessionDays * dayMs),
  })
  return token
}
