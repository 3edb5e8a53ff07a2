import { limits } from '../../../limits.ts'
import type { PlacedPair } from '../../../links/link-repository.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import type { Field } from '../../field.ts'
import { hasMany, type LinkEnd, otherEnd } from '../../link-end.ts'
import { linkCapabilityOf, symmetricOf } from '../../link-of.ts'

/** Where links stood at their other end, as long as they are stored anew. */
export interface PlacesKept {
  /** Those of records that are linked. */
  of(recordIds: readonly string[]): Promise<readonly PlacedPair[]>
  /** They are not needed any more. */
  forget(): Promise<void>
}

/**
 * Keeps the places that links have at the other end, where a field shows them in an order there, before and after the
 * link is another one; undefined where none does, or where they are too many. The pairs are under the id of a field:
 * where the new ones are to be under the same, the old ones are set aside under another, because they may be too many to
 * be held in memory.
 */
export async function keepPlaces(
  { tx, ids }: Pick<TableContext, 'tx' | 'ids'>,
  before: Field,
  after: Field,
): Promise<PlacesKept | undefined> {
  const old = before.hasError ? undefined : shownEnd(before)
  const now = shownEnd(after)
  if (!old || !now || symmetricOf(before)?.fieldId !== symmetricOf(after)?.fieldId) return undefined
  if (old.ownerFieldId !== now.ownerFieldId) {
    return { of: (recordIds) => tx.links.placed(old, recordIds), forget: async () => {} }
  }
  if ((await tx.links.total(old)) > limits.linksPlacedAgain) return undefined
  const aside = { ...old, ownerFieldId: ids.next('field') }
  await tx.links.create(aside)
  await tx.links.copy(old, aside)
  return {
    of: (recordIds) => tx.links.placed(aside, recordIds),
    forget: () => tx.links.drop(aside),
  }
}

/** The end of a link whose other end holds lists of records; undefined for any other field. */
function shownEnd(field: Field): LinkEnd | undefined {
  const end = linkCapabilityOf(field)?.endOf(field.options)
  return end && symmetricOf(field) && hasMany(otherEnd(end).relationship) ? end : undefined
}
