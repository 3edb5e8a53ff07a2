import { type Actor, isWithinReach } from '../access/actor.ts'
import type { RoleScope } from '../access/guard.ts'
import type { Base } from '../bases/base.ts'
import { DomainError } from '../errors.ts'
import type { WriteTx } from '../store.ts'

/** Ends a call whose caller is somebody else in the base than when they were let in. */
export class RoleChanged extends DomainError {
  constructor() {
    super('conflict', 'Your role in the base was changed at the same time: try again')
  }
}

/**
 * Has the call end with `RoleChanged` where it has waited for records or for a table, such as one that is linked to its own, and its caller has
 * another role in the base by then, or none. Only calls whose guard decided by a role there are asked about.
 */
export async function requireSameRole(tx: WriteTx, actor: Actor, scope: object): Promise<void> {
  if (!isOfBase(scope)) return
  const { userId, role, base } = scope
  await tx.askOnceHeld(async () => {
    // A call may have moved its base to the trash itself, or removed it for good: then nobody has a role there any more.
    const found = await tx.access.findBaseOrTrash(base.id, userId, 'none')
    if (!found) return
    const isSame = found.role === role && isWithinReach(actor, found.base.spaceId, base.id)
    if (!isSame) throw new RoleChanged()
  })
}

function isOfBase(scope: object): scope is RoleScope & { readonly base: Base } {
  return 'role' in scope && 'base' in scope && scope.base !== undefined
}
