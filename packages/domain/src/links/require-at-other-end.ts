import { decide } from '../access/guard.ts'
import type { Action } from '../access/roles.ts'
import { notFound } from '../errors.ts'
import type { LoadedTable } from '../schemas/schema-graph.ts'
import type { TableReadContext } from '../tables/table-context.ts'

/**
 * A link's field at the other end comes and goes, where that lies in another base, only by the hand of
 * somebody who may take the action there; in the own table the caller may. Throws restricted_resource.
 */
export async function requireAtOtherEnd(
  { tx, userId, actor }: TableReadContext,
  own: Pick<LoadedTable, 'table'>,
  { table: { id, baseId } }: Pick<LoadedTable, 'table'>,
  action: Action,
): Promise<void> {
  if (baseId === own.table.baseId) return
  const access = await tx.access.findBase(baseId, userId, 'none')
  if (!access) throw notFound('table', id)
  const place = { spaceId: access.base.spaceId, baseId, what: 'table', id }
  decide(actor, access.role, action, place)
}
