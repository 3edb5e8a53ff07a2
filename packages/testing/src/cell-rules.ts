import type { CellRules, FieldType } from '@gateleg/domain/fields/field-type'

/** The rules for the cells of a field of the type, made with the options that a caller sent. */
export function cellRules(type: FieldType, options: unknown = {}): CellRules {
  return type.cells(type.options.parse(options))
}
