import type { Passage } from '../access/guard.ts'
import { isVouchedFor, requireKnownUser } from '../access/known-users.ts'
import { isLive, requireLiveCredential } from '../access/live-credentials.ts'
import type { ReadTx } from '../store.ts'
import { isPublic } from '../use-case.ts'
import type { StartedCall } from './started-call.ts'

/**
 * Asks the guard, and whether the caller still exists. Both questions are sent at the same time, since each takes a while
 * where the storage is asked over a network. Where both are refused, the refusal of the caller is thrown.
 */
export async function enterCall(tx: ReadTx, call: StartedCall): Promise<Passage<object>> {
  const checking = requireCaller(tx, call)
  const entering = call.useCase.access.enter(tx, call.context.actor, call.input)
  if (!checking) return entering
  // Both are waited for: no question may be sent once the transaction has ended.
  const [checked, entered] = await Promise.allSettled([checking, entering])
  if (checked.status === 'rejected') throw checked.reason
  if (entered.status === 'rejected') throw entered.reason
  return entered.value
}

/**
 * Refuses a caller who doesn't exist, or whose session or token has ended since the call began; undefined where that
 * is known without asking the storage.
 */
function requireCaller(
  tx: ReadTx,
  { useCase, context: { actor, now }, ports: { store, clock } }: StartedCall,
): Promise<void> | undefined {
  const nowMs = clock.now()
  const isKnown = isPublic(useCase) || !isVouchedFor(actor)
  if (isKnown) return isLive(actor, nowMs) ? undefined : requireLiveCredential(tx, actor, nowMs)
  return requireKnownUser(tx, { store, now }, actor)
}
