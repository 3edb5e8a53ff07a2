/** What kind of value a cell holds, for formulas, filters and charts. */
export const cellValueTypes = ['string', 'number', 'boolean', 'dateTime'] as const

/** What kind of value a cell holds. */
export type CellValueType = (typeof cellValueTypes)[number]

/** The kind of the values of a field, and whether a cell holds a list of them. */
export interface ValueType {
  readonly cellValueType: CellValueType
  readonly isMultiple: boolean
}
