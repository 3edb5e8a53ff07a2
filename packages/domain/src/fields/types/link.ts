import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { bytesPerUnit, jsonTextBytes } from '../../values/json/json-bytes.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { toText } from '../../values/text.ts'
import { type Cell, type CellRules, type People, titleOfCell } from '../cell.ts'
import {
  itemsOf,
  type LinkItem,
  oneLinkCells,
  someLinksCells,
  textsOf,
} from '../cells/link-cells.ts'
import { splitNames } from '../cells/name-list.ts'
import { roomFor } from '../computed/cell-room.ts'
import type { Computation } from '../computed/computation.ts'
import {
  DerivationRefusal,
  type Derived,
  type FieldSources,
  type ForeignTable,
} from '../computed/derivation.ts'
import type { Field } from '../field.ts'
import { fieldType, type LinkCapability } from '../field-type.ts'
import { keptFilterSchema } from '../kept-filter.ts'
import { hasMany, type LinkEnd, linkTablePrefix, otherEnd, relationships } from '../link-end.ts'
import type { Misfit } from '../misfit.ts'

const optionsSchema = z.strictObject({
  relationship: z.enum(relationships).describe('How many records stand at each end'),
  foreignTableId: idSchema.describe('The table whose records are linked'),
  /** The base of the linked table, where it is another one. */
  baseId: idSchema.optional().describe('The base of that table, where it is another one'),
  /** Whether the linked table has no field that shows the link from there. */
  isOneWay: z
    .boolean()
    .default(false)
    .describe('Whether that table has no field that shows the link from there'),
  /** The field of the linked table that titles come from; the primary one where it isn't given. */
  lookupFieldId: idSchema
    .optional()
    .describe('The field of that table that titles come from; its primary one where none is given'),
  filterByViewId: idSchema
    .nullable()
    .optional()
    .describe('A view of that table, for people who choose records'),
  visibleFieldIds: z
    .array(idSchema)
    .max(limits.fieldsPerTable)
    .nullable()
    .optional()
    .describe('Fields of that table, for people who choose records'),
  filter: keptFilterSchema.describe(
    'What must hold of the records that people are offered; fields are named by their ids',
  ),
  /** Where the pairs are; decided when the field is made. */
  fkHostTableName: textUpTo(limits.shortTextLength)
    .optional()
    .describe('Where the pairs of the link are kept'),
  selfKeyName: textUpTo(limits.shortTextLength)
    .optional()
    .describe('What the records of this table are called there'),
  foreignKeyName: textUpTo(limits.shortTextLength)
    .optional()
    .describe('What the linked records are called there'),
  symmetricFieldId: idSchema.optional().describe('The field that shows the link from there'),
})
type LinkOptions = z.output<typeof optionsSchema>

/** Records of a table, this one or another. */
export const link = fieldType<LinkOptions, Cell>()({
  name: 'link',
  defaultName: () => 'Link',
  options: optionsSchema,
  cellValueType: () => 'string',
  dbFieldType: () => 'JSON',
  isMultiple: ({ relationship }) => hasMany(relationship),
  cellOptions: ['relationship', 'foreignTableId', 'isOneWay'],
  canBePrimary: false,
  canBeUnique: false,
  canBeNotNull: true,
  link: {
    endOf,
    targetOf: ({ foreignTableId, symmetricFieldId }) => ({ foreignTableId, symmetricFieldId }),
    asOwner,
    withPlaceOf,
    asSymmetric,
    asOneWay: ({ symmetricFieldId: _, ...options }) => ({ ...options, isOneWay: true }),
    isOneWay: ({ isOneWay }) => isOneWay,
    filter: ({ filter }) => filter ?? undefined,
    filterViewId: ({ filterByViewId }) => filterByViewId ?? undefined,
    titleFieldId: ({ lookupFieldId }) => lookupFieldId,
    placeOf: ({
      relationship,
      baseId,
      fkHostTableName = '',
      selfKeyName = '',
      foreignKeyName = '',
    }) => ({
      relationship,
      ...(baseId === undefined ? {} : { baseId }),
      fkHostTableName,
      selfKeyName,
      foreignKeyName,
    }),
    renamed,
    recordIds: (cell) => itemsOf(cell).map(({ id }) => id),
    withRecordIds: (cell, idOf) => {
      const items = itemsOf(cell).map((item): LinkItem => ({ ...item, id: idOf(item.id) }))
      return Array.isArray(cell) ? items : (items[0] ?? cell)
    },
    texts: (value) => {
      const parts = Array.isArray(value) ? value : [value, ...splitNames(toText(value))]
      return parts.flatMap(textsOf)
    },
  },
  derive: deriveLink,
  computation: titleComputation,
  cells: ({ relationship }) => (hasMany(relationship) ? someLinksCells : oneLinkCells),
})

type Owner = Parameters<LinkCapability<LinkOptions>['asOwner']>[1]

function asOwner(sent: LinkOptions, { baseId, fieldId, symmetricFieldId }: Owner): LinkOptions {
  const { symmetricFieldId: _, ...options } = sent
  return {
    ...options,
    ...linkPlace({ baseId, ownerFieldId: fieldId, isOwner: true }),
    ...(symmetricFieldId === undefined ? {} : { symmetricFieldId }),
  }
}

function withPlaceOf(sent: LinkOptions, stored: LinkOptions): LinkOptions {
  const { symmetricFieldId: _, ...options } = sent
  const { symmetricFieldId } = stored
  return {
    ...options,
    ...linkPlace(endOf(stored)),
    ...(symmetricFieldId === undefined ? {} : { symmetricFieldId }),
  }
}

function asSymmetric(
  options: LinkOptions,
  { fieldId, tableId }: { readonly fieldId: string; readonly tableId: string },
): LinkOptions {
  const end = otherEnd(endOf(options))
  return {
    relationship: end.relationship,
    foreignTableId: tableId,
    isOneWay: false,
    ...linkPlace(end),
    symmetricFieldId: fieldId,
  }
}

function renamed(options: LinkOptions, idByOriginal: ReadonlyMap<string, string>): LinkOptions {
  const { foreignTableId, filterByViewId, fkHostTableName } = options
  const idOf = (id: string) => idByOriginal.get(id) ?? id
  const end = endOf(options)
  return {
    ...options,
    foreignTableId: idOf(foreignTableId),
    ...(filterByViewId && { filterByViewId: idOf(filterByViewId) }),
    ...(fkHostTableName && linkPlace({ ...end, baseId: idOf(end.baseId) })),
  }
}

function endOf({ fkHostTableName = '', selfKeyName, relationship }: LinkOptions): LinkEnd {
  const [baseId = '', ownerFieldId = ''] = fkHostTableName.split(`.${linkTablePrefix}`)
  return { baseId, ownerFieldId, isOwner: selfKeyName === keyNames.owner, relationship }
}

/** What the columns of pairs are called in answers, and in the tables of every version: the owner was once the maker. */
const keyNames = { owner: '__maker_id', other: '__other_id' } as const

/** The members of the options that say where the pairs of a link are, as seen from its end. */
export function linkPlace({ baseId, ownerFieldId, isOwner }: Omit<LinkEnd, 'relationship'>) {
  const { owner, other } = keyNames
  return {
    fkHostTableName: `${baseId}.${linkTablePrefix}${ownerFieldId}`,
    selfKeyName: isOwner ? owner : other,
    foreignKeyName: isOwner ? other : owner,
  }
}

/**
 * Titles come from the primary field when the one that was chosen is gone, or gives none any more. What of a stored
 * filter fits no longer stays, and asks nothing.
 */
async function deriveLink(
  { options: stored }: Field,
  { baseId, foreign, misfitOfFilter }: FieldSources,
): Promise<Derived | DerivationRefusal> {
  const { baseId: saidBaseId, filter, ...options } = stored as LinkOptions
  const target = await foreign(options.foreignTableId)
  const misfitIn = (asked: LinkOptions['filter']): Misfit | undefined => {
    const issue = asked && target ? misfitOfFilter(asked, target.fields, 'whenAsked') : undefined
    return issue && { ...issue, option: 'filter', mayStay: true }
  }
  if (!target) {
    return new DerivationRefusal(['options', 'foreignTableId'], 'must be a table that you may read')
  }
  const { lookupFieldId = '' } = options
  const titles = target.titleFieldIds.has(lookupFieldId) ? lookupFieldId : target.primary.id
  const elsewhere = target.table.baseId === baseId ? {} : { baseId: target.table.baseId }
  const shown = options.visibleFieldIds?.filter((id) => target.fields.has(id))
  return {
    options: {
      ...options,
      ...elsewhere,
      lookupFieldId: titles,
      ...(shown ? { visibleFieldIds: shown } : {}),
      ...(filter ? { filter } : {}),
    },
    misfit: misfitOf({ ...options, baseId: saidBaseId }, target) ?? misfitIn(filter),
  }
}

/** What of the options the linked table stands against. */
function misfitOf(
  { baseId, lookupFieldId, visibleFieldIds }: LinkOptions,
  { table, fields, titleFieldIds }: ForeignTable,
): Misfit | undefined {
  if (baseId !== undefined && baseId !== table.baseId) {
    const message = 'must be left out, or be the id of the base of the linked table'
    return { option: 'baseId', message }
  }
  if (lookupFieldId !== undefined && !titleFieldIds.has(lookupFieldId)) {
    const message = fields.has(lookupFieldId)
      ? 'must be a field that shows text: titles come from it'
      : 'must be the id of a field of the linked table'
    return { option: 'lookupFieldId', message }
  }
  if (visibleFieldIds?.some((id) => !fields.has(id))) {
    return { option: 'visibleFieldIds', message: 'must be ids of fields of the linked table' }
  }
  return undefined
}

/** The links of a cell, with the titles that their records have now. */
function titleComputation(field: Field): Computation {
  const { id } = field
  const { lookupFieldId, relationship } = field.options as LinkOptions
  return {
    ownFieldIds: [],
    through: { linkFieldId: id, fieldId: lookupFieldId ?? '', fieldIds: [lookupFieldId ?? ''] },
    reads: new Set(),
    compiledBytes: 0,
    ready: () => {
      const room = roomFor(field)
      return ({ linked, source, people, spend }) => {
        // So many links have room for their titles, whatever these are: no bytes need be counted.
        const fit = linked.length * longestTitleBytes <= room
        let bytes = 0
        const items = linked.map(({ recordId, cell }): LinkItem => {
          if (cell === null || !source || bytes > room) return { id: recordId }
          const title = cutTitle(titleOf(cell, source.rules, people))
          if (!fit) bytes += jsonTextBytes(title)
          spend(title.length)
          return title === '' ? { id: recordId } : { id: recordId, title }
        })
        if (items.length === 0) return null
        return hasMany(relationship) ? items : (items[0] ?? null)
      }
    },
  }
}

const longestTitleBytes = limits.linkTitleLength * bytesPerUnit + 2

/** Titles of lists are kept for as long as these are: many records can be linked to one. */
const titlesOfLists = new WeakMap<object, { readonly people: People; readonly title: string }>()

function titleOf(cell: Cell, rules: CellRules, people: People): string {
  if (typeof cell !== 'object') return titleOfCell(rules, cell, people)
  const known = titlesOfLists.get(cell)
  if (known?.people === people) return known.title
  const title = cutTitle(titleOfCell(rules, cell, people))
  titlesOfLists.set(cell, { people, title })
  return title
}

/** The title as links show it: what fits a line or two. */
export function cutTitle(title: string): string {
  if (title.length <= limits.linkTitleLength) return title
  const cut = title.slice(0, limits.linkTitleLength)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
