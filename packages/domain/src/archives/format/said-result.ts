import { toCanonicalJson } from '../../bases/canonical-form.ts'
import { fitOptions, type ResultOptions } from '../../fields/cells/result-formatting.ts'
import type { ComputedResult, FieldShape } from '../../fields/field.ts'
import { isComputed, typeOf } from '../../fields/field-values.ts'
import type { Archived } from './archive-line.ts'

/**
 * What an archive says of the values of a field that can't be computed: those that it had last, as fields that read it take
 * them for. Undefined where a field as it is said has no such values.
 */
export function toSaidResult(
  shape: Omit<FieldShape, 'result'>,
  said: Archived<'field'>['result'],
): ComputedResult | null | undefined {
  if (!said) return null
  const type = typeOf(shape)
  if (!isComputed({ ...shape, result: null })) return undefined
  const isOfResult = type.computation !== undefined && !type.link
  if (!isOfResult) {
    return type.cellValueType(shape.options) === said.cellValueType ? said : undefined
  }
  const { options } = fitOptions(shape.options as ResultOptions, said.cellValueType)
  return toCanonicalJson(options) === toCanonicalJson(shape.options) ? said : undefined
}

/** What an archive with a trash says of the values of a field that nothing tells when it comes back. */
export function saidResultOf(field: FieldShape): Pick<Archived<'field'>, 'result'> {
  if (!field.result) return {}
  const { cellValueType, isMultiple } = field.result
  const result = { cellValueType, isMultiple }
  return toSaidResult(field, result) ? { result } : {}
}
