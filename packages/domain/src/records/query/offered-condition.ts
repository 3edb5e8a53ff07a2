import type { Filter } from '../../fields/filter.ts'
import { isExclusive, type LinkEnd } from '../../fields/link-end.ts'
import { linkCapabilityOf } from '../../fields/link-of.ts'
import { always, both, type Condition, never, not } from '../../queries/condition.ts'
import { type FilterContext, toStoredCondition } from '../../queries/to-condition.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'

/** The linked table, and who picks from it when. */
interface Offer extends Pick<FilterContext, 'userId' | 'now' | 'failsClosed'> {
  readonly schema: TableSchema
  /** Whose cell the records are picked for; undefined where it is the field as a whole. */
  readonly recordId?: string | undefined
}

/**
 * What must hold of a record of the linked table that people are offered for cells of a link: what the filter of the
 * link asks, and that of the view that it names; where a record takes one link at most, that no other cell has it. What
 * of the filters fits no longer asks nothing, nor does a view that is gone; where the offer fails closed, both hold for
 * no record.
 */
export async function offeredCondition(
  { views }: Pick<ReadTx, 'views'>,
  { field, link }: SchemaField,
  { recordId, ...offer }: Offer,
): Promise<Condition> {
  const capability = linkCapabilityOf(field)
  const viewId = capability?.filterViewId(field.options)
  const view = viewId === undefined ? undefined : await views.find(offer.schema.tableId, viewId)
  if (viewId !== undefined && !view && offer.failsClosed) return never
  const context = { ...offer, fieldKeyType: 'id' } as const
  const conditionOf = (filter: Filter | null | undefined) =>
    filter ? toStoredCondition(filter, context) : always
  const filtered = both(conditionOf(capability?.filter(field.options)), conditionOf(view?.filter))
  return link ? both(filtered, isFree(link.end, recordId)) : filtered
}

/** Where a record takes one link at most, no other cell has it: none at all where no cell is meant. */
function isFree(end: LinkEnd, recordId: string | undefined): Condition {
  if (!isExclusive(end.relationship)) return always
  return not({ kind: 'linked', end, recordId, isLeftOut: recordId !== undefined })
}
