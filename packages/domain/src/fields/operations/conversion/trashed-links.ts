import { requireKeepableLinks } from '../../../links/link-room.ts'
import type { ReadTx } from '../../../store.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import type { Field } from '../../field.ts'
import { hasMany, isExclusive, type LinkEnd } from '../../link-end.ts'
import { linkCapabilityOf } from '../../link-of.ts'

/**
 * Whether the links of records in the trash are kept where a link becomes another one: to the same table, and with room for at least
 * as many at each end. Where there is less room, records might never come back with all of theirs.
 */
export function keepsTrashedLinks(before: Field, after: Field): boolean {
  const [old, now] = [before, after].map((field) => {
    const capability = linkCapabilityOf(field)
    return (
      capability && { end: capability.endOf(field.options), ...capability.targetOf(field.options) }
    )
  })
  if (!old || !now || before.hasError || old.foreignTableId !== now.foreignTableId) return false
  const [then, since] = [old.end.relationship, now.end.relationship]
  const hasRoomHere = hasMany(since) || !hasMany(then)
  return hasRoomHere && (!isExclusive(since) || isExclusive(then))
}

/**
 * How many links of records in the trash are to be kept where a link becomes another one. Throws validation_error where that is more than
 * one write keeps.
 */
export async function countKeptLinks(
  tx: Pick<ReadTx, 'links'>,
  before: Field,
  after: Field,
): Promise<number> {
  const old = linkCapabilityOf(before)?.endOf(before.options)
  if (!old || !keepsTrashedLinks(before, after)) return 0
  const lost = await tx.links.countLost(old)
  requireKeepableLinks(lost)
  return lost
}

/**
 * Sets the pairs of records in the trash aside while the place of the pairs is made anew. Returns what puts them there; undefined
 * where there are none, or they are not kept. Throws validation_error where they are too many.
 */
export async function setTrashedLinksAside(
  { tx, ids }: Pick<TableContext, 'tx' | 'ids'>,
  before: Field,
  after: Field,
): Promise<((to: LinkEnd) => Promise<void>) | undefined> {
  const old = linkCapabilityOf(before)?.endOf(before.options)
  const now = linkCapabilityOf(after)?.endOf(after.options)
  if (!old || !now || (await countKeptLinks(tx, before, after)) === 0) return undefined
  if (old.ownerFieldId !== now.ownerFieldId) return (to) => tx.links.copyLost(old, to)
  const aside = { ...old, ownerFieldId: ids.next('field') }
  await tx.links.create(aside)
  await tx.links.copyLost(old, aside)
  return async (to) => {
    await tx.links.copyLost(aside, to)
    await tx.links.drop(aside)
  }
}
