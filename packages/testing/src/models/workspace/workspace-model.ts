import { toFreeName } from '@gateleg/domain/values/names'
import type { ModelFilter } from '../values/model-filter.ts'
import type { ModelFormula } from '../values/model-formula.ts'
import type { RollupFunction } from '../values/model-rollup.ts'
import type { ModelScalar, ModelType } from '../values/model-value.ts'
import type { Relationship } from './model-relationship.ts'

/** What a field is, by the other things that it concerns. */
export type ModelContent =
  | { readonly kind: 'text' | 'checkbox' | 'select' }
  | { readonly kind: 'number'; readonly precision: number }
  | LinkContent
  | (Reading & { readonly kind: 'lookup' })
  | (Reading & { readonly kind: 'rollup'; readonly summary: RollupFunction })
  | { readonly kind: 'formula'; readonly formula: ModelFormula<ModelField> }

/** What a field reads of linked records. */
export interface Reading {
  readonly link: ModelField
  readonly source: ModelField
  /** Which of the records count; all where there is none. */
  readonly filter?: ModelFilter<ModelField> | undefined
}

/** What the cells of a field can show: those of a lookup show what it looks up. */
export type ShownContent = Exclude<ModelContent, { readonly kind: 'lookup' }>

export interface LinkContent {
  readonly kind: 'link'
  readonly relationship: Relationship
  readonly foreign: ModelTable
  readonly isOneWay: boolean
  /** The field of the foreign table that shows the link from there. */
  symmetric: ModelField | undefined
  /** The field that titles come from, undefined for the primary one. */
  titles: ModelField | undefined
}

export interface ModelField {
  readonly id: string
  readonly table: ModelTable
  /** The place among the fields of its table; where two have the same, the one that was made first comes first. */
  readonly order: number
  name: string
  content: ModelContent
  isDeleted: boolean
  /** What its values were when it had no error last. */
  lastType: ModelType
  /** What its cells showed then. */
  lastShown: ShownContent
}

export interface ModelRecord {
  readonly id: string
  readonly table: ModelTable
  /** What was written into fields that aren't links. */
  readonly cells: Map<ModelField, ModelScalar>
  /** All records that it is linked to: those in the trash are in no cell until they are back. */
  readonly links: Map<ModelField, readonly ModelRecord[]>
  /** Those of them whose place among the others is nobody's promise: the cell was written while they were in the trash. */
  readonly unplaced: Map<ModelField, ReadonlySet<ModelRecord>>
  isDeleted: boolean
}

/** A record that has no links. */
export function newModelRecord(
  table: ModelTable,
  id: string,
  cells: readonly (readonly [ModelField, ModelScalar])[] = [],
): ModelRecord {
  const none = { links: new Map(), unplaced: new Map(), isDeleted: false }
  return { id, table, cells: new Map(cells), ...none }
}

export interface ModelTable {
  readonly id: string
  readonly baseId: string
  name: string
  fields: ModelField[]
  records: ModelRecord[]
  /** Its records that were deleted. */
  trashed: ModelRecord[]
  isDeleted: boolean
}

/** What one call deleted, as it lies in the trash. */
export type ModelEntry =
  | {
      readonly kind: 'records'
      readonly table: ModelTable
      readonly records: readonly ModelRecord[]
    }
  | { readonly kind: 'fields'; readonly table: ModelTable; readonly fields: readonly ModelField[] }
  | { readonly kind: 'table'; readonly table: ModelTable }

/** What tables, fields and records are there, and what was written into them. */
export class WorkspaceModel {
  tables: ModelTable[] = []
  /** What can be restored, in the order in which it was deleted. */
  trash: ModelEntry[] = []
  /** Numbers that tell in which order things of a table were made. */
  readonly #numbers = new Map<object, number>()

  addTable(table: Pick<ModelTable, 'id' | 'baseId' | 'name'>): ModelTable {
    const added = { ...table, fields: [], records: [], trashed: [], isDeleted: false }
    this.tables.push(added)
    return added
  }

  /** Removes a table with all that is in it. */
  removeTable(table: ModelTable): void {
    table.isDeleted = true
    for (const field of table.fields) field.isDeleted = true
    this.tables = this.tables.filter((other) => other !== table)
  }

  /** Brings a table back, but for those ends of its links whose other end is gone by now, and those of others of its links. */
  restoreTable(table: ModelTable): void {
    table.isDeleted = false
    for (const field of table.fields) field.isDeleted = false
    this.tables.push(table)
    for (const field of this.tables.flatMap(({ fields }) => fields)) {
      const { content } = field
      if (content.kind !== 'link' || !content.symmetric?.isDeleted) continue
      // Where the other table is gone, nobody knows what became of the field there.
      if (!content.foreign.isDeleted) this.removeField(field)
    }
    this.#freeTitles()
  }

  addField(
    table: ModelTable,
    { id, name, content }: Pick<ModelField, 'id' | 'name' | 'content'>,
  ): ModelField {
    const lastType = { scalar: 'string', isList: false } as const
    const lastShown: ShownContent = { kind: 'text' }
    const order = (table.fields.at(-1)?.order ?? -1) + 1
    const field = { id, table, order, name, content, isDeleted: false, lastType, lastShown }
    table.fields.push(field)
    return field
  }

  /** Removes a field, the other end of a link with it. Titles that came from it come from the primary field. */
  removeField(field: ModelField): void {
    this.removeFields([field])
  }

  /** Removes fields at once, the other ends of links with them. */
  removeFields(fields: readonly ModelField[]): void {
    for (const field of fields) this.#takeAway(field)
    this.#freeTitles()
  }

  #takeAway(field: ModelField): void {
    if (field.isDeleted) return
    field.isDeleted = true
    this.#number(field.table.fields)
    field.table.fields = field.table.fields.filter((other) => other !== field)
    const { content } = field
    const { symmetric } = content.kind === 'link' ? content : {}
    if (symmetric && !symmetric.table.isDeleted) this.#takeAway(symmetric)
  }

  /** Brings fields back with the other ends of links, under names with a number where theirs are taken. */
  restoreFields(fields: readonly ModelField[]): void {
    const back = [...new Set(fields.flatMap(withOtherEnd))]
    this.#number(back)
    for (const field of this.#inOrder(back).toSorted((a, b) => a.order - b.order)) {
      const { table } = field
      this.#number(table.fields)
      field.isDeleted = false
      field.name = freeFieldName(table, field.name)
      table.fields = this.#inOrder([...table.fields, field]).toSorted((a, b) => a.order - b.order)
    }
    this.#freeTitles()
  }

  /** Removes records: no cell shows them. */
  removeRecords(removed: readonly ModelRecord[]): void {
    for (const record of removed) {
      const { table } = record
      this.#number(table.records)
      record.isDeleted = true
      table.records = table.records.filter((other) => other !== record)
      table.trashed.push(record)
    }
  }

  /** Brings records back, with the links that they had to such as are there. */
  restoreRecords(records: readonly ModelRecord[]): void {
    for (const record of records) {
      const { table } = record
      this.#number(table.records)
      record.isDeleted = false
      table.trashed = table.trashed.filter((other) => other !== record)
      table.records = this.#inOrder([...table.records, record])
    }
  }

  /** Titles come from the primary field where the field that they came from is gone. */
  #freeTitles(): void {
    for (const { content } of this.tables.flatMap(({ fields }) => fields)) {
      if (content.kind !== 'link' || content.foreign.isDeleted) continue
      if (content.titles?.isDeleted) content.titles = undefined
    }
  }

  /** Numbers things of a table; new ones come last. */
  #number(things: readonly object[]): void {
    for (const thing of things) {
      if (!this.#numbers.has(thing)) this.#numbers.set(thing, this.#numbers.size)
    }
  }

  #inOrder<T extends object>(things: readonly T[]): T[] {
    const numberOf = (thing: T) => this.#numbers.get(thing) ?? 0
    return things.toSorted((a, b) => numberOf(a) - numberOf(b))
  }
}

/** A field, and the field at the other end of a link that is in the trash with it. */
function withOtherEnd(field: ModelField): readonly ModelField[] {
  const { content } = field
  const { symmetric } = content.kind === 'link' ? content : {}
  return symmetric?.isDeleted ? [field, symmetric] : [field]
}

/** The name that a new field gets: numbered when it is taken. */
export function freeFieldName({ fields }: ModelTable, wanted: string): string {
  return toFreeName(wanted, (candidate) => fields.some(({ name }) => name === candidate))
}

/** The field of a table that names its records. */
export function primaryOf(table: ModelTable): ModelField {
  const [primary] = table.fields
  if (!primary) throw new Error('a table has a primary field')
  return primary
}

/** The field that the titles of a link come from. */
export function titlesOf({ titles, foreign }: LinkContent): ModelField {
  return titles ?? primaryOf(foreign)
}

/** The content of a field that is known to be a link. */
export function linkOf({ content }: ModelField): LinkContent {
  if (content.kind !== 'link') throw new Error('the field is a link')
  return content
}
