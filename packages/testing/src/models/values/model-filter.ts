import type { FilterItem } from '@gateleg/domain/fields/filter'
import type { ModelType } from './model-value.ts'

/** Which of the linked records a lookup or rollup reads. */
export interface ModelFilter<Field> {
  readonly conjunction: 'and' | 'or'
  readonly items: readonly ModelFilterItem<Field>[]
}

interface ModelFilterItem<Field> extends Question {
  readonly field: Field
}

/** What a filter has to know of a field. */
interface FilteredField {
  readonly id: string
  readonly isDeleted: boolean
}

/** What may be asked of a cell. */
interface Question {
  readonly operator: FilterItem['operator']
  readonly value: string | number | boolean | readonly string[] | null
}

/** What cells hold, as far as it decides what can be asked of them. */
type Kind = 'text' | 'number' | 'boolean' | 'select' | 'selects' | 'link' | 'links'

const questions: Readonly<Record<Kind, readonly Question[]>> = {
  text: [
    { operator: 'contains', value: 'B' },
    { operator: 'is', value: 'a' },
    { operator: 'isNot', value: '12' },
    { operator: 'isEmpty', value: null },
  ],
  number: [
    { operator: 'isGreater', value: 1 },
    { operator: 'is', value: 0 },
    { operator: 'isLessEqual', value: 2.5 },
    { operator: 'isNotEmpty', value: null },
  ],
  boolean: [
    { operator: 'is', value: true },
    { operator: 'is', value: false },
  ],
  select: [
    { operator: 'isAnyOf', value: ['red', 'blue'] },
    { operator: 'isNoneOf', value: ['green, dark'] },
    { operator: 'isNot', value: 'red' },
    { operator: 'isEmpty', value: null },
  ],
  selects: [
    { operator: 'hasAnyOf', value: ['red', 'blue'] },
    { operator: 'hasAllOf', value: ['red', 'blue'] },
    { operator: 'hasNoneOf', value: ['red'] },
    { operator: 'isNotEmpty', value: null },
  ],
  link: [
    { operator: 'contains', value: 'A' },
    { operator: 'isEmpty', value: null },
  ],
  links: [
    { operator: 'contains', value: 'b' },
    { operator: 'isNotEmpty', value: null },
  ],
}

const aboutOne = ['is', 'isNot', 'isAnyOf', 'isNoneOf', 'isEmpty', 'isNotEmpty']
const aboutSome = ['hasAnyOf', 'hasAllOf', 'hasNoneOf', 'isEmpty', 'isNotEmpty']
const taken: Readonly<Record<Kind, readonly string[]>> = {
  text: ['is', 'isNot', 'contains', 'isEmpty', 'isNotEmpty'],
  number: ['is', 'isGreater', 'isLessEqual', 'isEmpty', 'isNotEmpty'],
  boolean: ['is'],
  select: aboutOne,
  selects: aboutSome,
  link: [...aboutOne, 'contains'],
  links: [...aboutSome, 'contains'],
}

/** What the questions of a filter are about. */
interface FieldsAsked<Field> {
  type(field: Field): ModelType
  shown(field: Field): { readonly kind: string }
}

function kindOf<Field>(fields: FieldsAsked<Field>, field: Field): Kind {
  const { scalar, isList } = fields.type(field)
  const { kind } = fields.shown(field)
  if (kind === 'link') return isList ? 'links' : 'link'
  if (kind === 'select') return isList ? 'selects' : 'select'
  return scalar === 'number' || scalar === 'boolean' ? scalar : 'text'
}

/** One of the questions that fit the field, counted round. */
export function questionAbout<Field>(
  fields: FieldsAsked<Field>,
  field: Field,
  place: number,
): ModelFilterItem<Field> {
  const fitting = questions[kindOf(fields, field)]
  return { field, ...(fitting[place % fitting.length] as Question) }
}

/** Whether all fields of the filter are there and take what they are asked. */
export function fits<Field extends FilteredField>(
  fields: FieldsAsked<Field>,
  { items }: ModelFilter<Field>,
): boolean {
  return items.every(({ field, operator, value }) => {
    if (field.isDeleted) return false
    const kind = kindOf(fields, field)
    if (!taken[kind].includes(operator)) return false
    const sort = typeof value === 'object' ? 'string' : typeof value
    return value === null || sort === (kind === 'number' || kind === 'boolean' ? kind : 'string')
  })
}

/** Whether a record with the cells is let through. */
export function letsThrough<Field>(
  { conjunction, items }: ModelFilter<Field>,
  cellOf: (field: Field) => unknown,
): boolean {
  if (items.length === 0) return true
  const answers = items.map((item) => answer(item, cellOf(item.field)))
  return conjunction === 'and' ? answers.every(Boolean) : answers.some(Boolean)
}

function answer({ operator, value }: Question, cell: unknown): boolean {
  const list = Array.isArray(cell) ? (cell as readonly unknown[]) : [cell]
  const items = list.filter((item) => item !== null) as (string | number | boolean | object)[]
  const names = items.map((item) => (typeof item === 'object' ? (item as { id: string }).id : item))
  const texts = items.map((item) =>
    typeof item === 'object' ? ((item as { title?: string }).title ?? '') : String(item),
  )
  const wanted = [value].flat() as (string | number | boolean)[]
  const hasSome = names.some((name) => wanted.includes(name))
  switch (operator) {
    case 'isEmpty':
      return cell === null
    case 'isNotEmpty':
      return cell !== null
    case 'contains':
      return texts.some((text) => text.toLowerCase().includes(String(value).toLowerCase()))
    case 'isGreater':
      return names.some((number) => Number(number) > Number(value))
    case 'isLessEqual':
      return names.some((number) => Number(number) <= Number(value))
    case 'hasAllOf':
      return wanted.every((name) => names.includes(name))
    case 'isNot':
    case 'isNoneOf':
    case 'hasNoneOf':
      return !hasSome
    default:
      return value === false ? !names.includes(true) : hasSome
  }
}

/** The filter as the product takes it. */
export function toSentFilter({ conjunction, items }: ModelFilter<FilteredField>) {
  const filterSet = items.map(({ field, operator, value }) => ({
    fieldId: field.id,
    operator,
    value,
  }))
  return { conjunction, filterSet }
}

/** The filter with other fields in the place of its own. */
export function withFieldsOf<Field>(
  { conjunction, items }: ModelFilter<Field>,
  copyOf: (field: Field) => Field,
): ModelFilter<Field> {
  return { conjunction, items: items.map((item) => ({ ...item, field: copyOf(item.field) })) }
}
