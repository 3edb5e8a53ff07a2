import { z } from 'zod'
import { assert } from '../../errors.ts'
import type { FormulaField } from '../../formulas/checking/checked.ts'
import type { FormulaScope } from '../../formulas/compile-formula.ts'
import { dependenciesOf, lazyFormula, typeOfFormula } from '../../formulas/formula-cache.ts'
import { FormulaError } from '../../formulas/formula-error.ts'
import type { FormulaScalar, FormulaValue } from '../../formulas/formula-type.ts'
import type { CellRules, People } from '../cell.ts'
import { resultCells } from '../cells/result-cells.ts'
import { fitOptions, resultShape } from '../cells/result-formatting.ts'
import { roomFor } from '../computed/cell-room.ts'
import type {
  Computation,
  ComputationScope,
  EvaluateCell,
  LinkedCell,
} from '../computed/computation.ts'
import { DerivationRefusal, type Derived, type FieldSources } from '../computed/derivation.ts'
import { toReadThrough } from '../computed/read-through.ts'
import type { Field, FieldShape } from '../field.ts'
import { fieldType } from '../field-type.ts'

/** What the linked values are summed up by; each is a formula over a list called `values`. */
export const rollupExpressions = [
  'countall({values})',
  'counta({values})',
  'count({values})',
  'sum({values})',
  'average({values})',
  'max({values})',
  'min({values})',
  'and({values})',
  'or({values})',
  'xor({values})',
  'array_join({values})',
  'array_unique({values})',
  'array_compact({values})',
  'concatenate({values})',
] as const

const optionsSchema = z.strictObject({
  expression: z
    .enum(rollupExpressions)
    .default('countall({values})')
    .describe('The function of the linked values'),
  ...resultShape,
})
type Options = z.output<typeof optionsSchema>

const valuesField = 'values'

/** What the formula of a rollup over values of a field is compiled in. */
export function rollupScope({ timeZone }: Options, source: FormulaField): FormulaScope {
  const { type, ...display } = source
  const values = { ...display, type: { ...type, isMultiple: true } }
  return { fields: { find: (name) => (name === valuesField ? values : undefined) }, timeZone }
}

/** The values of a field of the linked records, summed up. */
export const rollup = fieldType<Options, never>()({
  name: 'rollup',
  defaultName: () => 'Rollup',
  options: optionsSchema,
  cellValueType: () => 'number',
  dbFieldType: () => 'REAL',
  canBePrimary: false,
  canBeUnique: false,
  canBeNotNull: false,
  readsThroughLink: true,
  derive: deriveRollup,
  computation: rollupComputation,
  cells: (options, values) => resultCells(options, values) as never,
})

function rollupComputation(field: Field, scope: ComputationScope): Computation {
  const { lookupOptions, options, result, id } = field
  assert(lookupOptions && result?.source, `the rollup ${id} knows what it sums up`)
  const { expression } = options as Options
  const source = scope.toFormulaField(result.source)
  const formula = lazyFormula(expression, rollupScope(options as Options, source))
  return {
    ownFieldIds: [lookupOptions.linkFieldId],
    through: toReadThrough(lookupOptions),
    reads: dependenciesOf(expression).reads,
    compiledBytes: formula.bytes,
    ready: () => {
      const { evaluate } = formula.get()
      const room = roomFor(field)
      return ({ row, linked, source, people, spend }) => {
        const values = source ? toValues(linked, source.rules, people) : []
        return evaluate({ ...row, cell: () => values }, spend, room) as ReturnType<EvaluateCell>
      }
    },
  }
}

/** The linked cells as one list, as formulas see them. */
function toValues(linked: readonly LinkedCell[], rules: CellRules, people: People): FormulaValue {
  return linked.flatMap(({ cell }): FormulaScalar | null | readonly (FormulaScalar | null)[] => {
    if (cell === null) return null
    return rules.toFormula ? rules.toFormula(cell, people) : (cell as FormulaValue)
  })
}

async function deriveRollup(
  field: Field,
  sources: FieldSources,
): Promise<Derived | DerivationRefusal> {
  const reading = await sources.readThroughLink(field)
  if (reading instanceof DerivationRefusal) return reading
  const { type: name, options: sourceOptions, isLookup, result } = reading.source
  const source: FieldShape = { type: name, options: sourceOptions, isLookup, result }
  const options = field.options as Options
  try {
    const scope = rollupScope(options, sources.scope.toFormulaField(source))
    const type = typeOfFormula(options.expression, scope)
    const fitted = fitOptions(options, type.scalar)
    return {
      ...fitted,
      misfit: reading.misfit ?? fitted.misfit,
      lookupOptions: reading.lookupOptions,
      result: { cellValueType: type.scalar, isMultiple: type.isMultiple, source },
    }
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error
    const message = `doesn't fit the values of "${reading.source.name}": ${error.reason}`
    return new DerivationRefusal(['options', 'expression'], message)
  }
}
