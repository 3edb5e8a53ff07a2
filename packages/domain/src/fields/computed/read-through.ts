import { type Filter, fieldsNamedIn } from '../filter.ts'
import type { LookupOptions } from '../lookup-options.ts'

/** What is read through a link. */
export interface ReadThrough {
  readonly linkFieldId: string
  /** The field of the linked table whose cells are read. */
  readonly fieldId: string
  /** Which of the linked records count; all where it is left out. */
  readonly filter?: Filter
  /** All fields of the linked table that a cell depends on: those that the filter names among them. */
  readonly fieldIds: readonly string[]
}

/** The fields of the linked table that cells with the options follow from. */
export function fieldIdsReadBy({
  lookupFieldId,
  filter,
}: Pick<LookupOptions, 'lookupFieldId' | 'filter'>): readonly string[] {
  return [...new Set([lookupFieldId, ...(filter ? fieldsNamedIn(filter) : [])])]
}

/** What cells with the options read through their link. */
export function toReadThrough(options: LookupOptions): ReadThrough {
  const { linkFieldId, lookupFieldId: fieldId, filter } = options
  const fieldIds = fieldIdsReadBy(options)
  return { linkFieldId, fieldId, fieldIds, ...(filter ? { filter } : {}) }
}
