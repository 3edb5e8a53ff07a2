import { isWithinReach } from '../access/actor.ts'
import { mayTake } from '../access/guard.ts'
import type { ReadTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'

/** Who asks for the records of a base. */
export type Reader = Pick<CallContext, 'actor'> & { readonly tx: ReadTx; readonly userId: string }

/** Whether the caller may read the records of the base; with a space, whether it lies in that, too. */
export async function mayReadBase(
  { tx, userId, actor }: Reader,
  baseId: string,
  spaceId?: string,
): Promise<boolean> {
  const access = await tx.access.findBase(baseId, userId, 'none')
  const { role, base } = access ?? {}
  if (!role || !base || !isWithinReach(actor, base.spaceId, base.id)) return false
  if (spaceId !== undefined && base.spaceId !== spaceId) return false
  return mayTake(actor, role, 'record|read')
}
