import type { Checked, CheckedChain, FormulaField } from './checking/checked.ts'
import { compileOperator } from './compile-operator.ts'
import { momentOfTimestamp } from './dates/moment.ts'
import type { FormulaScalar, FormulaValue } from './formula-type.ts'
import { settleNumber } from './functions/define.ts'
import { type Part, type Run, type RunnablePart, spend } from './runtime/evaluation.ts'
import { readNumber, stepsPerConversion } from './runtime/reading.ts'

/** Makes a checked part ready to be computed for any number of records. */
export function compilePart(checked: Checked): RunnablePart {
  const { type } = checked
  switch (checked.kind) {
    case 'literal': {
      const { value } = checked
      return { type, literal: value, run: () => value }
    }
    case 'field': {
      const { format } = checked.field
      return { type, run: readCell(checked.fieldId, checked.field), ...(format ? { format } : {}) }
    }
    case 'negation':
      return { type, run: compileNegation(compilePart(checked.operand)) }
    case 'chain':
      return { type, run: compileChain(checked) }
    case 'call':
      return { type, run: checked.callee.compile(checked.args.map(compilePart)) }
  }
}

/** What of a cell fits its type; a moment as its milliseconds. */
const itemReaders: Readonly<
  Record<FormulaField['type']['scalar'], (value: unknown) => FormulaScalar | null>
> = {
  string: (value) => (typeof value === 'string' ? value : null),
  number: (value) => (Number.isFinite(value) ? (value as number) + 0 : null),
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  dateTime: (value) => (typeof value === 'string' ? momentOfTimestamp(value) : null),
}

/** Steps that reading a value of a cell takes: moments are parsed anew. */
function stepsPerReadItem({ scalar }: FormulaField['type']): number {
  return scalar === 'dateTime' ? stepsPerConversion : 4
}

function readCell(fieldId: string, { type }: FormulaField): Run {
  const readItem = itemReaders[type.scalar]
  const stepsPerItem = stepsPerReadItem(type)
  if (!type.isMultiple) {
    return (evaluation) => {
      spend(evaluation, stepsPerItem)
      return readItem(evaluation.row.cell(fieldId))
    }
  }
  return (evaluation) => {
    const items = evaluation.row.cell(fieldId)
    if (!Array.isArray(items)) return null
    spend(evaluation, items.length * stepsPerItem)
    return items.map(readItem)
  }
}

function compileNegation(operand: RunnablePart): Run {
  const read = readNumber(operand)
  return (evaluation) => settleNumber(-(read(operand.run(evaluation), evaluation) ?? 0))
}

function compileChain({ first, steps }: CheckedChain): Run {
  const start = compilePart(first)
  let left: Part = start
  const compiled = steps.map(({ operator, operand, type }) => {
    const step = compileOperator(operator, left, compilePart(operand), type.scalar === 'number')
    left = { type }
    return step
  })
  const [only] = compiled
  if (only && compiled.length === 1) {
    return (evaluation) => only(start.run(evaluation), evaluation)
  }
  return (evaluation) => {
    let value: FormulaValue = start.run(evaluation)
    for (const step of compiled) value = step(value, evaluation)
    return value
  }
}
