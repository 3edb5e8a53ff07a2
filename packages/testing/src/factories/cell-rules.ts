import type { CellRules } from '@gateleg/domain/fields/cell'
import type { FieldType } from '@gateleg/domain/fields/field-type'
import type { ValueType } from '@gateleg/domain/values/value-type'

/** The rules for the cells of a field of the type, made with the options that a caller sent. */
export function cellRules(type: FieldType, options: unknown = {}): CellRules {
  return rulesWith(type, type.options.parse(options))
}

/** The rules for the cells of a field of the type, made with complete options. */
export function rulesWith(type: FieldType, options: unknown): CellRules {
  return type.cells(options, valuesOf(type, options))
}

/** What the values of a field of the type are, by its complete options. */
export function valuesOf(type: FieldType, options: unknown): ValueType {
  return {
    cellValueType: type.cellValueType(options),
    isMultiple: type.isMultiple?.(options) ?? false,
  }
}
