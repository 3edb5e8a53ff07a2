import { FormulaError } from '../formula-error.ts'
import { describeType, partTypes } from '../formula-type.ts'
import { type FormulaFunction, Misfit } from '../functions/formula-function.ts'
import { formulaFunctions } from '../functions/formula-functions.ts'
import type {
  CallExpression,
  ChainExpression,
  Expression,
  NegationExpression,
  ReferenceExpression,
} from '../syntax/expression.ts'
import type { Checked, CheckedStep, FormulaField } from './checked.ts'
import { functionHint } from './function-hints.ts'
import { operatorType } from './operator-type.ts'

/** The fields that a formula may refer to. */
export interface FormulaFields {
  find(fieldId: string): FormulaField | undefined
}

/** Finds the type of every part. Throws a FormulaError for parts that don't fit together. */
export function checkTypes(expression: Expression, fields: FormulaFields): Checked {
  switch (expression.kind) {
    case 'string':
    case 'number':
    case 'boolean':
      return { kind: 'literal', type: partTypes[expression.kind], value: expression.value }
    case 'reference':
      return checkReference(expression, fields)
    case 'negation':
      return checkNegation(expression, fields)
    case 'chain':
      return checkChain(expression, fields)
    case 'call':
      return checkCall(expression, fields)
  }
}

function checkReference(
  { fieldId, position }: ReferenceExpression,
  fields: FormulaFields,
): Checked {
  const field = fields.find(fieldId)
  if (!field) {
    throw new FormulaError(`There is no field "${fieldId.slice(0, 80)}" here`, position)
  }
  return { kind: 'field', type: field.type, fieldId, field }
}

function checkNegation({ operand, position }: NegationExpression, fields: FormulaFields): Checked {
  const checked = checkTypes(operand, fields)
  if (checked.type.scalar === 'dateTime') {
    throw new FormulaError("A date can't be negated", position)
  }
  return { kind: 'negation', type: partTypes.number, operand: checked }
}

function checkChain(chain: ChainExpression, fields: FormulaFields): Checked {
  const first = checkTypes(chain.first, fields)
  const steps: CheckedStep[] = []
  let type = first.type
  for (const { operator, operand, position } of chain.steps) {
    const checked = checkTypes(operand, fields)
    const result = operatorType(operator, type, checked.type)
    if (result instanceof Misfit) throw new FormulaError(result.reason, position)
    type = result
    steps.push({ operator, operand: checked, type })
  }
  return { kind: 'chain', type, first, steps }
}

function checkCall(call: CallExpression, fields: FormulaFields): Checked {
  const callee = formulaFunctions.get(call.name)
  if (!callee) {
    const hint = functionHint(call.name)
    const reason = `There is no function ${call.name.slice(0, 50)}`
    throw new FormulaError(hint === undefined ? reason : `${reason}; ${hint}`, call.position)
  }
  checkCount(call, callee)
  const args = call.args.map((arg) => checkTypes(arg, fields))
  args.forEach((arg, index) => {
    checkArgument(arg, { callee, index, position: call.args[index]?.position ?? call.position })
  })
  const type = callee.resultType(args.map((arg) => arg.type))
  if (type instanceof Misfit)
    throw new FormulaError(`${callee.name}: ${type.reason}`, call.position)
  return { kind: 'call', type, callee, args }
}

function checkCount(call: CallExpression, { name, argumentsMin, argumentsMax }: FormulaFunction) {
  const count = call.args.length
  if (count >= argumentsMin && count <= argumentsMax) return
  const bounds =
    argumentsMin === argumentsMax
      ? `${argumentsMin}`
      : argumentsMax === Number.POSITIVE_INFINITY
        ? `at least ${argumentsMin}`
        : `${argumentsMin} to ${argumentsMax}`
  const noun = bounds.endsWith('1') ? 'argument' : 'arguments'
  throw new FormulaError(`${name} takes ${bounds} ${noun}, not ${count}`, call.position)
}

interface ArgumentPlace {
  readonly callee: FormulaFunction
  readonly index: number
  readonly position: number
}

function checkArgument(arg: Checked, { callee, index, position }: ArgumentPlace): void {
  const parameter = callee.parameters[index] ?? callee.parameters.at(-1)
  if (!parameter) return
  if (!parameter.accepts(arg.type)) {
    const given = describeType(arg.type)
    throw new FormulaError(`${callee.name} takes ${parameter.expects} here, not ${given}`, position)
  }
  const reason = arg.kind === 'literal' ? parameter.refuses?.(arg.value) : undefined
  if (reason !== undefined) throw new FormulaError(`${callee.name}: ${reason}`, position)
}
