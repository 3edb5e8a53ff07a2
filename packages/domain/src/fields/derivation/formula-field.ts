import type { FormulaField } from '../../formulas/checking/checked.ts'
import { nobody } from '../cell.ts'
import type { ComputationScope } from '../computed/computation.ts'
import type { Field, FieldShape } from '../field.ts'
import { rulesOf, valueTypeOf } from '../field-values.ts'

/** The field as formulas see it. Moments are shown in texts as the field shows them, numbers plainly. */
export function toFormulaField(field: FieldShape): FormulaField {
  const { cellValueType, isMultiple } = valueTypeOf(field)
  const type = { scalar: cellValueType, isMultiple }
  if (cellValueType === 'string' || cellValueType === 'number') return { type }
  const rules = rulesOf({ ...field, ...asSingle(field) })
  const { type: name, options, isLookup, result } = field
  return {
    type,
    format: (value) => rules.format(value, nobody),
    look: JSON.stringify([cellValueType, name, options, isLookup, result]),
  }
}

/** The same field with one value in a cell, as far as it is computed: what shows each item of a list. */
function asSingle({ result }: FieldShape): Partial<FieldShape> {
  return result ? { result: { ...result, isMultiple: false } } : {}
}

/** What the computed fields of one table are made in. */
export function computationScope(fields: ReadonlyMap<string, Field>): ComputationScope {
  const find = (id: string) => {
    const field = fields.get(id)
    return field && toFormulaField(field)
  }
  return { fields: { find }, toFormulaField }
}
