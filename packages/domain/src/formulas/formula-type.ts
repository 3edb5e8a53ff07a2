import type { CellValueType } from '../values/value-type.ts'

/** What a formula gives: one value, or a list of values of one kind. */
export interface FormulaType {
  readonly scalar: CellValueType
  readonly isMultiple: boolean
}

/** A moment is a Timestamp at the library's edge; inside, it is its milliseconds since 1970. */
export type FormulaScalar = string | number | boolean

/** null is the empty cell. The items of a list may be empty too. */
export type FormulaValue = FormulaScalar | null | readonly (FormulaScalar | null)[]

/** The type of a part of a formula. A part that is always empty fits every other type. */
export interface PartType {
  readonly scalar: CellValueType | 'blank'
  readonly isMultiple: boolean
}

/** The types of single values, by kind. */
export const partTypes = {
  string: { scalar: 'string', isMultiple: false },
  number: { scalar: 'number', isMultiple: false },
  boolean: { scalar: 'boolean', isMultiple: false },
  dateTime: { scalar: 'dateTime', isMultiple: false },
  blank: { scalar: 'blank', isMultiple: false },
} as const satisfies Record<PartType['scalar'], PartType>

/** A formula that is always empty gives text. */
export function toFormulaType({ scalar, isMultiple }: PartType): FormulaType {
  return { scalar: scalar === 'blank' ? 'string' : scalar, isMultiple }
}

/**
 * The type that holds the values of all parts: their common one, or text when they differ. Blank parts
 * don't count. A list when one of them is.
 */
export function unionOf(types: readonly PartType[]): PartType {
  const isMultiple = types.some((type) => type.isMultiple)
  const kinds = new Set(types.map((type) => type.scalar))
  kinds.delete('blank')
  const [kind = 'blank'] = kinds
  return { scalar: kinds.size > 1 ? 'string' : kind, isMultiple }
}

const names = {
  string: 'text',
  number: 'number',
  boolean: 'true or false',
  dateTime: 'date',
  blank: 'nothing',
} as const

/** The type in words, for error messages. */
export function describeType({ scalar, isMultiple }: PartType): string {
  return isMultiple ? `a list (${names[scalar]})` : names[scalar]
}
