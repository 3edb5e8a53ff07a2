import type { Ids } from '../ids.ts'
import type { Field } from './field.ts'
import { typeOf } from './field-values.ts'

/** Which field, of which table. */
export interface PlacedField {
  readonly tableId: string
  readonly fieldId: string
}

/** The link ability of a field that is a link; a lookup of links is none. */
export function linkAbilityOf(field: Pick<Field, 'type' | 'isLookup'>) {
  return field.isLookup ? undefined : typeOf(field).link
}

/** The field that shows a link from its other end; undefined for a link without one, and for no link. */
export function symmetricOf(field: Field): PlacedField | undefined {
  const target = linkAbilityOf(field)?.targetOf(field.options)
  if (target?.symmetricFieldId === undefined) return undefined
  return { tableId: target.foreignTableId, fieldId: target.symmetricFieldId }
}

/** The table that the field links to or reads through a link; undefined for any other field. */
export function foreignTableIdOf(field: Field): string | undefined {
  const target = linkAbilityOf(field)?.targetOf(field.options).foreignTableId
  return target ?? field.lookupOptions?.foreignTableId
}

/** Gives new link fields the place of their pairs, and the id of the field at the other end. */
export function asOwners(
  fields: readonly Field[],
  { baseId, ids }: { readonly baseId: string; readonly ids: Ids },
): readonly Field[] {
  return fields.map((field) => {
    const ability = linkAbilityOf(field)
    if (!ability) return field
    const symmetricFieldId = ability.isOneWay(field.options) ? undefined : ids.next('field')
    const maker = { baseId, fieldId: field.id, symmetricFieldId }
    return { ...field, options: ability.asMaker(field.options, maker) }
  })
}
