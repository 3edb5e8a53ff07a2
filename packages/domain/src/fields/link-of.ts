import type { Ids } from '../ids.ts'
import { fieldIdsReadBy } from './computed/read-through.ts'
import type { Field } from './field.ts'
import { typeOf } from './field-values.ts'
import type { Filter } from './filter.ts'

/** Which field, of which table. */
export interface PlacedField {
  readonly tableId: string
  readonly fieldId: string
}

/** What a field says of the records that it links to or reads. */
type Reading = Pick<Field, 'type' | 'options' | 'isLookup' | 'lookupOptions'>

/** The link capability of a field that is a link; a lookup of links is none. */
export function linkCapabilityOf(field: Pick<Field, 'type' | 'isLookup'>) {
  return field.isLookup ? undefined : typeOf(field).link
}

/** The field that shows a link from its other end; undefined for a link without one, and for no link. */
export function symmetricOf(field: Field): PlacedField | undefined {
  const target = linkCapabilityOf(field)?.targetOf(field.options)
  if (target?.symmetricFieldId === undefined) return undefined
  return { tableId: target.foreignTableId, fieldId: target.symmetricFieldId }
}

/** The table that the field links to or reads through a link; undefined for any other field. */
export function foreignTableIdOf(field: Reading): string | undefined {
  const target = linkCapabilityOf(field)?.targetOf(field.options).foreignTableId
  return target ?? field.lookupOptions?.foreignTableId
}

/** The fields of the linked table that the field's cells follow from, there or not; none for any other field. */
export function fieldIdsReadThroughLink(field: Field): readonly string[] {
  if (field.lookupOptions) return fieldIdsReadBy(field.lookupOptions)
  return [linkCapabilityOf(field)?.titleFieldId(field.options) ?? []].flat()
}

/** The filter of the linked records that the field keeps: of those that it reads or, a link, of those that it offers. */
export function filterOf(field: Reading): Filter | undefined {
  return field.lookupOptions?.filter ?? linkCapabilityOf(field)?.filter(field.options)
}

/** The field with another filter in the place of the one that it keeps. */
export function withFilter<Of extends Reading>(field: Of, filter: Filter): Of {
  const { lookupOptions, options } = field
  if (lookupOptions) return { ...field, lookupOptions: { ...lookupOptions, filter } }
  return { ...field, options: { ...(options as object), filter } }
}

/** Gives new link fields the place of their pairs, and the id of the field at the other end. */
export function asOwners(
  fields: readonly Field[],
  { baseId, ids }: { readonly baseId: string; readonly ids: Ids },
): readonly Field[] {
  return fields.map((field) => {
    const capability = linkCapabilityOf(field)
    if (!capability) return field
    const symmetricFieldId = capability.isOneWay(field.options) ? undefined : ids.next('field')
    const owner = { baseId, fieldId: field.id, symmetricFieldId }
    return { ...field, options: capability.asOwner(field.options, owner) }
  })
}
