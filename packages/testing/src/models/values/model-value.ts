import { limits } from '@gateleg/domain/limits'

export type ModelScalar = string | number | boolean

/** What formulas of the model work with; null is nothing. */
export type ModelItems = ModelScalar | null | readonly (ModelScalar | null)[]

/** What a field or a part of a formula holds. What is always empty is blank. */
export interface ModelType {
  readonly scalar: 'string' | 'number' | 'boolean' | 'blank'
  readonly isList: boolean
}

/** A part of a formula: its type, and its value when it is asked for. */
export interface ModelPart {
  readonly type: ModelType
  value(): ModelItems
}

/** An item as it enters a text: of a number all its digits, and no exponent below 1e21. */
export function itemText(item: ModelScalar): string {
  if (typeof item !== 'number' || Math.abs(item) >= 1e-6) return String(item)
  for (let decimals = 0; decimals <= 100; decimals++) {
    const text = item.toFixed(decimals)
    if (Number(text) === item) return text
  }
  return String(item)
}

/** Thrown by what has no value. */
export class NoValue extends Error {}

/** The value as one item. Several are none. */
export function oneOf(value: ModelItems): ModelScalar | null {
  if (value === null || typeof value !== 'object') return value
  if (value.length > 1) throw new NoValue('a list is no single value')
  return value[0] ?? null
}

/** The items of a value; nothing is one item that is empty. */
export function itemsOf(value: ModelItems): readonly (ModelScalar | null)[] {
  if (value === null || typeof value !== 'object') return [value]
  return value.length === 0 ? [null] : value
}

const decimal = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

/** The number that an item stands for, NaN when it stands for none. */
export function numberOf(item: ModelScalar | null): number {
  if (item === null) return Number.NaN
  if (typeof item === 'string') return decimal.test(item) ? Number(item) : Number.NaN
  return Number(item)
}

/** A result as a number: nothing when it is none, and never a negative zero. */
export function toResult(result: number): number | null {
  return Number.isFinite(result) ? result + 0 : null
}

export function isTrue(item: ModelScalar | null): boolean {
  return item !== null && item !== '' && item !== 0 && item !== false
}

/** Whether a value counts as true: a list of several items does. */
export function isTrueValue(value: ModelItems): boolean {
  return itemsOf(value).length > 1 || isTrue(itemsOf(value)[0] ?? null)
}

/** The texts joined; no cell can hold more than its limit. */
export function joined(texts: readonly string[], separator: string): string {
  const text = texts.join(separator)
  if (text.length > limits.cellBytes) throw new NoValue('the text is too long')
  return text
}

/** The value as one text: its items between commas, nothing when there are none. */
export function textOf(part: ModelPart): string | null {
  const value = part.value()
  if (value === null) return null
  if (typeof value !== 'object') return itemText(value)
  const items = value.filter((item) => item !== null)
  return items.length === 0 ? null : joined(items.map(itemText), ', ')
}

/** The text of a value that must be single. */
export function singleTextOf(part: ModelPart): string | null {
  const item = oneOf(part.value())
  return item === null ? null : itemText(item)
}

/** The type of values that may be any of these: text where they differ. */
export function unionOf(types: readonly ModelType[]): ModelType {
  const scalars = new Set(types.map(({ scalar }) => scalar).filter((scalar) => scalar !== 'blank'))
  const [only = 'blank'] = scalars
  return { scalar: scalars.size > 1 ? 'string' : only, isList: types.some(({ isList }) => isList) }
}

/** The value of a part, read as such a type. */
export function valueAs(part: ModelPart, type: ModelType): ModelItems {
  const isText = type.scalar === 'string' && part.type.scalar !== 'string'
  const change = (item: ModelScalar | null) => (isText && item !== null ? itemText(item) : item)
  const value = part.value()
  if (value !== null && typeof value === 'object') return value.map(change)
  const item = change(value)
  return type.isList && !part.type.isList && item !== null ? [item] : item
}
