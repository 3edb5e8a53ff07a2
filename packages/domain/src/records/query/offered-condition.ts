import { linkAbilityOf } from '../../fields/link-of.ts'
import { always, type Condition, never } from '../../queries/condition.ts'
import { type FilterContext, toStoredCondition } from '../../queries/to-condition.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'

/** The linked table, and who picks from it when. */
interface Offer extends Pick<FilterContext, 'userId' | 'now' | 'failsClosed'> {
  readonly schema: TableSchema
}

/**
 * What must hold of a record of the linked table that people are offered for cells of a link: what the filter of the
 * link asks, and that of the view that it names. What of them fits no longer asks nothing, nor does a view that is gone;
 * where the offer fails closed, both hold for no record.
 */
export async function offeredCondition(
  { views }: Pick<ReadTx, 'views'>,
  { field }: SchemaField,
  offer: Offer,
): Promise<Condition> {
  const ability = linkAbilityOf(field)
  const viewId = ability?.filterViewId(field.options)
  const view = viewId === undefined ? undefined : await views.find(offer.schema.tableId, viewId)
  if (viewId !== undefined && !view && offer.failsClosed) return never
  const context = { ...offer, fieldKeyType: 'id' } as const
  const conditions = [ability?.filter(field.options), view?.filter].flatMap((filter) => {
    const condition = filter ? toStoredCondition(filter, context) : always
    return condition === always ? [] : [condition]
  })
  const [only = always] = conditions
  return conditions.length > 1 ? { kind: 'all', conditions } : only
}
