import { limits } from '@gateleg/domain/limits'
import { formatNumber } from '@gateleg/domain/values/number-format'
import { fits, letsThrough } from '../values/model-filter.ts'
import { fieldsOf, formulaCell, formulaType } from '../values/model-formula.ts'
import { rollupCell, rollupType } from '../values/model-rollup.ts'
import type { ModelItems, ModelScalar, ModelType } from '../values/model-value.ts'
import { hasManyLinks, linkedTo } from './model-links.ts'
import {
  type LinkContent,
  linkOf,
  type ModelContent,
  type ModelField,
  type ModelRecord,
  type Reading,
  type ShownContent,
  titlesOf,
} from './workspace-model.ts'

interface LinkItem {
  readonly id: string
  readonly title?: string
}

type Item = ModelScalar | LinkItem | null

/** A cell as callers read it as JSON; null is the empty cell. */
type ModelCell = Item | readonly Item[]

/**
 * Every cell of a workspace as it follows from what was written, by nothing but the rules. Asks again and
 * again for what it needs; what it has found it keeps only as long as the workspace doesn't change.
 */
export class ModelSnapshot {
  readonly #errors = new Map<ModelField, boolean>()
  readonly #types = new Map<ModelField, ModelType>()
  readonly #cells = new Map<ModelField, Map<ModelRecord, ModelCell>>()

  /** Whether what the field refers to is gone, or fits no more. */
  hasError(field: ModelField): boolean {
    const known = this.#errors.get(field)
    if (known !== undefined) return known
    const found = this.#isBroken(field)
    this.#errors.set(field, found)
    return found
  }

  #isBroken({ content }: ModelField): boolean {
    switch (content.kind) {
      case 'link':
        return content.foreign.isDeleted
      case 'lookup':
      case 'rollup':
        if (content.link.isDeleted || this.hasError(content.link)) return true
        return content.source.isDeleted || !(content.filter ? fits(this, content.filter) : true)
      case 'formula':
        return (
          fieldsOf(content.formula).some(({ isDeleted }) => isDeleted) ||
          formulaType(content.formula, (other) => this.type(other)) === undefined
        )
      default:
        return false
    }
  }

  /** What the values of the field are; of one with an error, what they were before. */
  type(field: ModelField): ModelType {
    const known = this.#types.get(field)
    if (known) return known
    const found = this.hasError(field) ? field.lastType : this.#workOutType(field)
    const type: ModelType = found.scalar === 'blank' ? { ...found, scalar: 'string' } : found
    this.#types.set(field, type)
    return type
  }

  /** What the cells of the field show; those of one with an error, what they did before. */
  shown(field: ModelField): ShownContent {
    if (field.content.kind === 'lookup' && this.hasError(field)) return field.lastShown
    return this.shownBy(field.content)
  }

  /** What the cells of a field of the content show. */
  shownBy(content: ModelContent): ShownContent {
    return content.kind === 'lookup' ? this.shown(content.source) : content
  }

  #workOutType({ content, lastType }: ModelField): ModelType {
    switch (content.kind) {
      case 'link':
        return { scalar: 'string', isList: hasManyLinks(content.relationship) }
      case 'lookup': {
        const { scalar, isList } = this.type(content.source)
        return { scalar, isList: isList || hasManyLinks(linkOf(content.link).relationship) }
      }
      case 'rollup':
        return rollupType(content.summary, this.type(content.source))
      case 'formula':
        return formulaType(content.formula, (other) => this.type(other)) ?? lastType
      case 'number':
        return { scalar: 'number', isList: false }
      case 'checkbox':
        return { scalar: 'boolean', isList: false }
      default:
        return { scalar: 'string', isList: false }
    }
  }

  cell(field: ModelField, record: ModelRecord): ModelCell {
    const known = this.#cells.get(field)?.get(record)
    if (known !== undefined) return known
    const cell = this.hasError(field) ? null : this.#workOut(field, record)
    const cells = this.#cells.get(field) ?? new Map()
    this.#cells.set(field, cells.set(record, cell))
    return cell
  }

  #workOut(field: ModelField, record: ModelRecord): ModelCell {
    const { content } = field
    switch (content.kind) {
      case 'link':
        return this.#linkCell(content, linkedTo(field, record))
      case 'lookup': {
        const found = this.#counted(content, record).flatMap((other) =>
          this.cell(content.source, other),
        )
        const items = found.filter((item) => item !== null)
        if (items.length === 0) return null
        return this.type(field).isList ? items : (items[0] ?? null)
      }
      case 'rollup': {
        const { source, summary } = content
        const values = this.#counted(content, record).flatMap((other) => this.#value(source, other))
        return rollupCell(summary, {
          type: this.type(source),
          value: () => values,
        })
      }
      case 'formula':
        return formulaCell(content.formula, {
          type: (other) => this.type(other),
          value: (other) => this.#value(other, record),
        })
      default:
        return record.cells.get(field) ?? null
    }
  }

  /** The linked records that a lookup or rollup reads. */
  #counted({ link, filter }: Reading, record: ModelRecord): readonly ModelRecord[] {
    const linked = linkedTo(link, record)
    if (!filter) return linked
    return linked.filter((other) => letsThrough(filter, (field) => this.cell(field, other)))
  }

  #linkCell(content: LinkContent, linked: readonly ModelRecord[]): ModelCell {
    const items = linked.map((record): LinkItem => {
      const text = this.text(titlesOf(content), record)
      const cut = text.slice(0, limits.linkTitleLength)
      const title = cut.isWellFormed() ? cut : cut.slice(0, -1)
      return title === '' ? { id: record.id } : { id: record.id, title }
    })
    if (hasManyLinks(content.relationship)) return items.length === 0 ? null : items
    return items[0] ?? null
  }

  /** The cell as formulas see it: links as their titles. */
  #value(field: ModelField, record: ModelRecord): ModelItems {
    const cell = this.cell(field, record)
    if (Array.isArray(cell)) return cell.map(toValue)
    return toValue(cell as Item)
  }

  /** The cell as text, '' when it is empty. */
  text(field: ModelField, record: ModelRecord): string {
    const value = this.#value(field, record)
    if (value === null) return ''
    if (typeof value !== 'object') return this.#itemText(field, value)
    const isOfLinks = this.shown(field).kind === 'link'
    const items = isOfLinks
      ? value.map((item) => item ?? '')
      : value.filter((item) => item !== null)
    return items.map((item) => quoted(this.#itemText(field, item))).join(', ')
  }

  /** How one item of a field's cells is shown. */
  #itemText(field: ModelField, item: ModelScalar): string {
    if (typeof item !== 'number') return String(item)
    return formatNumber(item, { type: 'decimal', precision: precisionOf(this.shown(field)) })
  }
}

/** With how many decimals numbers are shown. */
export function precisionOf(content: ShownContent): number {
  return content.kind === 'number' ? content.precision : defaultPrecision
}

const defaultPrecision = 2

function toValue(item: Item): ModelScalar | null {
  return item !== null && typeof item === 'object' ? (item.title ?? null) : item
}

/** An item of a list as it stands in the list's text. */
function quoted(text: string): string {
  return text.includes(',') || text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text
}
