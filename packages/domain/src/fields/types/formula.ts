import { z } from 'zod'
import { typeOfFormula } from '../../formulas/formula-cache.ts'
import { FormulaError } from '../../formulas/formula-error.ts'
import { referencedFieldIds, samePlace, toFieldIds } from '../../formulas/syntax/references.ts'
import { limits } from '../../limits.ts'
import { storableTextUpTo } from '../../values/storable-text.ts'
import { resultCells } from '../cells/result-cells.ts'
import { fitOptions, resultShape } from '../cells/result-formatting.ts'
import { formulaComputation } from '../computed/computation.ts'
import { DerivationRefusal, type Derived, type FieldSources } from '../computed/derivation.ts'
import type { Field } from '../field.ts'
import { fieldType } from '../field-type.ts'

const optionsSchema = z.strictObject({
  /** Fields are named by their ids in braces. */
  expression: storableTextUpTo(limits.shownFormulaLength).describe(
    'The formula; fields stand in braces, by name or id',
  ),
  ...resultShape,
})
type Options = z.output<typeof optionsSchema>

/** A value computed from the other cells of its record. */
export const formula = fieldType<Options, never>()({
  name: 'formula',
  defaultName: () => 'Calculation',
  options: optionsSchema,
  cellValueType: () => 'string',
  dbFieldType: () => 'TEXT',
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: false,
  references: ({ expression }) => referencedFieldIds(expression),
  withFieldIds: (options, idOf) => ({
    ...options,
    expression: toFieldIds(options.expression, idOf),
  }),
  placeInSent: (stored, position, sent) => samePlace(stored.expression, position, sent.expression),
  derive: deriveFormula,
  computation: (field, { fields }) => {
    const { expression, timeZone } = field.options as Options
    return formulaComputation(field, expression, { fields, timeZone })
  },
  cells: (options, values) => resultCells(options, values) as never,
})

async function deriveFormula(
  { options }: Field,
  { scope }: FieldSources,
): Promise<Derived | DerivationRefusal> {
  const { expression, timeZone } = options as Options
  try {
    const type = typeOfFormula(expression, { fields: scope.fields, timeZone })
    const fitted = fitOptions(options as Options, type.scalar)
    return { ...fitted, result: { cellValueType: type.scalar, isMultiple: type.isMultiple } }
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error
    return new DerivationRefusal(['options', 'expression'], error)
  }
}
