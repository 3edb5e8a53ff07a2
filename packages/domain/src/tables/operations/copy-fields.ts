import type { Field } from '../../fields/field.ts'
import { typeOf } from '../../fields/field-values.ts'
import { linkAbilityOf } from '../../fields/link-of.ts'
import type { Table } from '../table.ts'

/** The copies of a table's fields, and which is whose. */
export interface FieldCopies {
  readonly fields: readonly Field[]
  readonly idByOriginal: ReadonlyMap<string, string>
}

/**
 * The fields of a table as those of its copy. What they say of one another holds among the copies. Links
 * to another table become links that only the copy shows; links within the table become links within
 * the copy.
 */
export function copyFields(
  originals: readonly Field[],
  copy: Table,
  newId: () => string,
): FieldCopies {
  const idByOriginal = new Map(originals.map(({ id }) => [id, newId()]))
  const renamed = originals.map(
    (field): Field => ({
      ...field,
      id: idByOriginal.get(field.id) ?? '',
      tableId: copy.id,
      createdBy: copy.createdBy,
      createdTime: copy.createdTime,
      version: 1,
      isPending: false,
      aiConfig: renameIds(field.aiConfig, idByOriginal),
      options: renameIds(field.options, idByOriginal),
      lookupOptions: renameIds(field.lookupOptions, idByOriginal),
      result: renameIds(field.result, idByOriginal),
    }),
  )
  const placed = placeLinks(originals, renamed, copy)
  const byId = new Map(placed.map((field) => [field.id, field]))
  return { fields: placed.map((field) => withLink(field, byId)), idByOriginal }
}

/** Gives the links of the copy pairs of their own. */
function placeLinks(
  originals: readonly Field[],
  renamed: readonly Field[],
  copy: Table,
): readonly Field[] {
  const options = new Map<string, unknown>()
  originals.forEach((original, index) => {
    const field = renamed[index]
    const ability = linkAbilityOf(original)
    if (!field || !ability) return
    const { foreignTableId, symmetricFieldId } = ability.targetOf(original.options)
    const isWithin = foreignTableId === original.tableId
    if (isWithin && !ability.endOf(original.options).isMaker) return
    const own = isWithin
      ? { ...(field.options as object), foreignTableId: copy.id }
      : ability.asOneWay(field.options)
    const symmetricIndex = originals.findIndex(({ id }) => isWithin && id === symmetricFieldId)
    const symmetric = renamed[symmetricIndex]
    const place = { baseId: copy.baseId, fieldId: field.id, symmetricFieldId: symmetric?.id }
    const made = ability.asMaker(own, place)
    options.set(field.id, made)
    if (!symmetric) return
    const shown = ability.asSymmetric(made, { fieldId: field.id, tableId: copy.id })
    options.set(symmetric.id, { ...(symmetric.options as object), ...(shown as object) })
  })
  return renamed.map((field) => ({ ...field, options: options.get(field.id) ?? field.options }))
}

/** What lookups and rollups show of the link that they read through. */
function withLink(field: Field, byId: ReadonlyMap<string, Field>): Field {
  const { lookupOptions } = field
  const link = byId.get(lookupOptions?.linkFieldId ?? '')
  const ability = link && typeOf(link).link
  if (!lookupOptions || !ability) return field
  const { foreignTableId } = ability.targetOf(link.options)
  const place = ability.placeOf(link.options)
  return { ...field, lookupOptions: { ...lookupOptions, foreignTableId, ...place } }
}

/** The settings with every id of an original in the place of its copy's. */
export function renameIds<T>(settings: T, idByOriginal: ReadonlyMap<string, string>): T {
  const json = JSON.stringify(settings)
  return JSON.parse(json.replace(/fld[0-9a-zA-Z]{16}/g, (id) => idByOriginal.get(id) ?? id)) as T
}
