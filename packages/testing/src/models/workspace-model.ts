import { toFreeName } from '@gateleg/domain/values/names'
import type { ModelFilter } from './model-filter.ts'
import type { ModelFormula } from './model-formula.ts'
import type { Relationship } from './model-relationship.ts'
import type { RollupFunction } from './model-rollup.ts'
import type { ModelScalar, ModelType } from './model-value.ts'

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
  readonly links: Map<ModelField, readonly ModelRecord[]>
}

export interface ModelTable {
  readonly id: string
  readonly baseId: string
  readonly name: string
  fields: ModelField[]
  records: ModelRecord[]
  isDeleted: boolean
}

/** What tables, fields and records are there, and what was written into them. */
export class WorkspaceModel {
  tables: ModelTable[] = []

  addTable(table: Pick<ModelTable, 'id' | 'baseId' | 'name'>): ModelTable {
    const added = { ...table, fields: [], records: [], isDeleted: false }
    this.tables.push(added)
    return added
  }

  removeTable(table: ModelTable): void {
    table.isDeleted = true
    for (const field of table.fields) field.isDeleted = true
    this.tables = this.tables.filter((other) => other !== table)
  }

  addField(
    table: ModelTable,
    { id, name, content }: Pick<ModelField, 'id' | 'name' | 'content'>,
  ): ModelField {
    const lastType = { scalar: 'string', isList: false } as const
    const lastShown: ShownContent = { kind: 'text' }
    const field = { id, table, name, content, isDeleted: false, lastType, lastShown }
    table.fields.push(field)
    return field
  }

  /** Removes a field, the other end of a link with it. Titles that came from it come from the primary field. */
  removeField(field: ModelField): void {
    if (field.isDeleted) return
    field.isDeleted = true
    field.table.fields = field.table.fields.filter((other) => other !== field)
    for (const { content } of this.tables.flatMap(({ fields }) => fields)) {
      if (content.kind === 'link' && content.titles === field) content.titles = undefined
    }
    const { content } = field
    if (content.kind === 'link' && content.symmetric) this.removeField(content.symmetric)
  }

  /** Removes records with all links to them. */
  removeRecords(removed: readonly ModelRecord[]): void {
    for (const table of this.tables) {
      table.records = table.records.filter((record) => !removed.includes(record))
      for (const { links } of table.records) {
        for (const [field, linked] of links) {
          links.set(
            field,
            linked.filter((record) => !removed.includes(record)),
          )
        }
      }
    }
  }
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
