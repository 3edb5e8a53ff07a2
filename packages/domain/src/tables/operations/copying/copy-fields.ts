import type { Field } from '../../../fields/field.ts'
import { typeOf } from '../../../fields/field-values.ts'
import { linkCapabilityOf } from '../../../fields/link-of.ts'
import type { Table } from '../../table.ts'

/** Copies of fields, in the order of the originals, and which is whose. */
export interface FieldCopies {
  readonly fields: readonly Field[]
  readonly idByOriginal: ReadonlyMap<string, string>
}

/** A table and what becomes its copy, in the same base or another one. */
export interface TableCopy {
  readonly original: Table
  readonly copy: Table
}

/** Tables that are copied together, by the ids of the originals. */
type TableCopies = ReadonlyMap<string, TableCopy>

/**
 * The fields of tables as those of their copies. What they say of one another holds among the copies. Links between
 * tables that are copied together become links between their copies; links to any other table become links that only
 * the copy shows.
 */
export async function copyFields(
  originals: readonly Field[],
  copies: TableCopies,
  newId: (originalId: string) => string,
  giveWay: () => Promise<void>,
): Promise<FieldCopies> {
  const idByOriginal = new Map(originals.map(({ id }) => [id, newId(id)]))
  const renamed: Field[] = []
  const orders = new Map<string, number>()
  for (const field of originals) {
    const copy = copies.get(field.tableId)?.copy
    // Two fields may have the same place, which are told apart by when they were made: copies are made at once.
    const order = orders.get(field.tableId) ?? 0
    orders.set(field.tableId, order + 1)
    renamed.push({
      ...field,
      order,
      id: idByOriginal.get(field.id) ?? '',
      tableId: copy?.id ?? '',
      createdBy: copy?.createdBy ?? '',
      createdTime: copy?.createdTime ?? '',
      version: 1,
      isPending: false,
      aiConfig: renameIds(field.aiConfig, idByOriginal),
      options: renameIds(field.options, idByOriginal),
      lookupOptions: renameIds(field.lookupOptions, idByOriginal),
      result: renameIds(field.result, idByOriginal),
    })
    await giveWay()
  }
  const placed = placeLinks(originals, renamed, copies)
  const byId = new Map(placed.map((field) => [field.id, field]))
  return { fields: placed.map((field) => withLink(field, byId, copies)), idByOriginal }
}

/** Gives the links of the copies pairs of their own. */
function placeLinks(
  originals: readonly Field[],
  renamed: readonly Field[],
  copies: TableCopies,
): readonly Field[] {
  const copiesByOriginal = new Map(originals.map(({ id }, index) => [id, renamed[index]]))
  const options = new Map<string, unknown>()
  originals.forEach((original, index) => {
    const field = renamed[index]
    const tables = copies.get(original.tableId)
    const capability = linkCapabilityOf(original)
    if (!field || !tables || !capability) return
    const { copy } = tables
    const { foreignTableId, symmetricFieldId = '' } = capability.targetOf(original.options)
    const foreign = copies.get(foreignTableId)?.copy
    const symmetric = foreign && copiesByOriginal.get(symmetricFieldId)
    // Its other end makes it.
    if (symmetric && !capability.endOf(original.options).isOwner) return
    const own = foreign
      ? withinCopies(field.options as object, foreign)
      : leadingOut(capability.asOneWay(field.options) as object, tables)
    const place = { baseId: copy.baseId, fieldId: field.id, symmetricFieldId: symmetric?.id }
    const made = capability.asOwner(own, place)
    options.set(field.id, made)
    if (!symmetric) return
    const shown = capability.asSymmetric(made, { fieldId: field.id, tableId: copy.id })
    options.set(symmetric.id, {
      ...withinCopies(symmetric.options as object, copy),
      ...(shown as object),
    })
  })
  return renamed.map((field) => ({ ...field, options: options.get(field.id) ?? field.options }))
}

/** Options of a link that leads to a copy: copies lie in one base, which need not be said. */
function withinCopies<T extends object>(options: T, { id }: Table) {
  const { baseId: _, ...rest } = options as T & { readonly baseId?: string }
  return { ...rest, foreignTableId: id }
}

/** Options of a link that leads to a table without a copy, which is in another base than the link's copy may be. */
function leadingOut(options: object, { original, copy }: TableCopy): object {
  return original.baseId === copy.baseId ? options : { baseId: original.baseId, ...options }
}

/**
 * What lookups and rollups show of the link that they read through. Where that was deleted, they go on naming the table that
 * they read: its copy, if there is one.
 */
function withLink(field: Field, byId: ReadonlyMap<string, Field>, copies: TableCopies): Field {
  const { lookupOptions } = field
  if (!lookupOptions) return field
  const link = byId.get(lookupOptions.linkFieldId)
  const capability = link && typeOf(link).link
  if (!capability) {
    const foreign = copies.get(lookupOptions.foreignTableId)?.copy
    return foreign ? { ...field, lookupOptions: withinCopies(lookupOptions, foreign) } : field
  }
  const { foreignTableId } = capability.targetOf(link.options)
  const { baseId: _, ...rest } = lookupOptions
  return {
    ...field,
    lookupOptions: { ...rest, foreignTableId, ...capability.placeOf(link.options) },
  }
}

/** The settings with every id of an original in the place of its copy's. */
export function renameIds<T>(settings: T, idByOriginal: ReadonlyMap<string, string>): T {
  const json = JSON.stringify(settings)
  return JSON.parse(json.replace(/fld[0-9a-zA-Z]{16}/g, (id) => idByOriginal.get(id) ?? id)) as T
}

/** A button whose workflow was copied along starts the copy. `named` has the ids of copies by those of the originals. */
export function startingCopies(field: Field, named: ReadonlyMap<string, string>): Field {
  if (field.type !== 'button') return field
  const options = field.options as { readonly workflow?: { readonly id: string } }
  const id = named.get(options.workflow?.id ?? '')
  return id === undefined ? field : { ...field, options: { ...options, workflow: { id } } }
}
