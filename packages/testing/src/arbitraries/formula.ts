import type { PartType } from '@gateleg/domain/formulas/formula-type'
import type { ChainStep, Expression } from '@gateleg/domain/formulas/syntax/expression'
import { type Operator, operatorLevels } from '@gateleg/domain/formulas/syntax/operators'
import fc from 'fast-check'
import { formulaFieldId, formulaNumber, formulaText } from './formula-row.ts'
import {
  type ArgumentKind,
  commonType,
  type FunctionSignature,
  functionSignatures,
} from './formula-signatures.ts'

/** An expression, and the type that the language gives it. */
interface TypedExpression {
  readonly expression: Expression
  readonly type: PartType
}

const position = 0
const one = (scalar: PartType['scalar']): PartType => ({ scalar, isMultiple: false })
const list = (scalar: PartType['scalar']): PartType => ({ scalar, isMultiple: true })

/** The same expression as if it stood nowhere, for comparing expressions by what they mean. */
export function withoutPositions(expression: Expression): Expression {
  switch (expression.kind) {
    case 'call':
      return { ...expression, args: expression.args.map(withoutPositions), position }
    case 'negation':
      return { ...expression, operand: withoutPositions(expression.operand), position }
    case 'chain': {
      const steps = expression.steps.map((step) => ({
        ...step,
        operand: withoutPositions(step.operand),
        position,
      }))
      return { ...expression, first: withoutPositions(expression.first), steps, position }
    }
    default:
      return { ...expression, position }
  }
}

const text = (value: string): Expression => ({ kind: 'string', value, position })

const stringLiteral = formulaText.map(text)
const numberLiteral = formulaNumber.map(
  (value): Expression => ({ kind: 'number', value: Math.abs(value), position }),
)
const booleanLiteral = fc
  .boolean()
  .map((value): Expression => ({ kind: 'boolean', value, position }))

function call(name: string, args: readonly Expression[] = []): Expression {
  return { kind: 'call', name, args, position }
}

function reference(type: PartType): fc.Arbitrary<TypedExpression> {
  const scalar = type.scalar === 'blank' ? 'string' : type.scalar
  const fieldId = formulaFieldId({ scalar, isMultiple: type.isMultiple })
  return fc.constant({ expression: { kind: 'reference', fieldId, position }, type })
}

function typed(arbitrary: fc.Arbitrary<Expression>, type: PartType) {
  return arbitrary.map((expression): TypedExpression => ({ expression, type }))
}

function chain(
  first: Expression,
  steps: readonly { readonly operator: Operator; readonly operand: Expression }[],
): Expression {
  return {
    kind: 'chain',
    first,
    steps: steps.map((step): ChainStep => ({ ...step, position })),
    position,
  }
}

type Tie = (key: 'part' | PartType['scalar']) => fc.Arbitrary<TypedExpression>

/** First operand and one to three more, all of them fit for the operators. */
function operation(
  type: PartType,
  operators: readonly Operator[],
  operands: { first: fc.Arbitrary<TypedExpression>; next: fc.Arbitrary<TypedExpression> },
): fc.Arbitrary<TypedExpression> {
  const step = fc.record({ operator: fc.constantFrom(...operators), operand: operands.next })
  return fc
    .tuple(operands.first, fc.array(step, { minLength: 1, maxLength: 3 }))
    .map(([first, steps]) => {
      const plain = steps.map(({ operator, operand }) => ({
        operator,
        operand: operand.expression,
      }))
      return { expression: chain(first.expression, plain), type }
    })
}

function operations(tie: Tie) {
  const part = tie('part')
  const undated = fc.oneof(tie('number'), tie('string'), tie('boolean'), tie('blank'))
  const numeric = fc.oneof(tie('number'), tie('boolean'), tie('blank'))
  const dateLike = fc.oneof(tie('dateTime'), tie('string'), tie('blank'))
  const pair = (first: typeof part, next: typeof part) =>
    fc
      .tuple(first, fc.constantFrom<Operator>('=', '!=', '>', '<', '>=', '<='), next)
      .map(([a, operator, b]) => ({
        expression: chain(a.expression, [{ operator, operand: b.expression }]),
        type: one('boolean'),
      }))
  return {
    number: [
      operation(one('number'), ['*', '/', '%'], { first: undated, next: undated }),
      operation(one('number'), ['+', '-'], { first: numeric, next: numeric }),
      undated.map(
        ({ expression }): TypedExpression => ({
          expression: { kind: 'negation', operand: expression, position },
          type: one('number'),
        }),
      ),
    ],
    string: [
      operation(one('string'), ['&'], { first: part, next: part }),
      operation(one('string'), ['+'], {
        first: part,
        next: fc.oneof(tie('string'), tie('dateTime')),
      }),
    ],
    boolean: [
      operation(one('boolean'), ['&&'], { first: part, next: part }),
      operation(one('boolean'), ['||'], { first: part, next: part }),
      operation(one('boolean'), ['>', '<', '>=', '<='], { first: undated, next: undated }),
      operation(one('boolean'), ['=', '!='], { first: undated, next: undated }),
      pair(tie('dateTime'), dateLike),
      pair(dateLike, tie('dateTime')),
    ],
  }
}

function isComputedText({ expression, type }: TypedExpression): boolean {
  return expression.kind !== 'string' && !type.isMultiple
}

function literalOr(tie: Tie, literals: readonly string[]): fc.Arbitrary<TypedExpression> {
  return fc.oneof(
    { weight: 3, arbitrary: typed(fc.constantFrom(...literals).map(text), one('string')) },
    {
      weight: 1,
      arbitrary: tie('string').filter(isComputedText),
    },
    { weight: 1, arbitrary: tie('blank') },
  )
}

/** Arguments of every kind that a function may ask for. */
function argumentsOf(tie: Tie): Record<ArgumentKind, fc.Arbitrary<TypedExpression>> {
  const single = (scalar: PartType['scalar']) => tie(scalar).filter(({ type }) => !type.isMultiple)
  return {
    any: tie('part'),
    number: fc.oneof(
      { weight: 5, arbitrary: single('number') },
      { weight: 1, arbitrary: tie('blank') },
    ),
    undated: fc.oneof(tie('number'), tie('string'), tie('boolean'), tie('blank')),
    date: fc.oneof(single('dateTime'), single('string'), tie('blank')),
    onlyDate: tie('dateTime'),
    unit: literalOr(tie, ['day', 'weeks', 'M', 'quarter', 'hours', 'ms', 'YEAR']),
    weekday: literalOr(tie, ['Sunday', 'monday']),
    writtenPattern: literalOr(tie, [
      'YYYY-MM-DD',
      'dddd Do MMMM, HH:mm',
      '[Q]Q gggg-[W]ww',
      'LLLL ZZ',
    ]),
    readPattern: literalOr(tie, ['YYYY-MM-DD', 'D MMM YY h:mm a', 'X', 'HH:mm:ss.SSS Z']),
    searchPattern: literalOr(tie, [
      'a',
      '[^a-c]+?',
      '(a|b)*c',
      '^\\s*|\\d{2,3}$',
      '(?i)(x)?\\b',
      '',
    ]),
    holidays: fc.oneof(
      tie('dateTime'),
      literalOr(tie, ['2024-12-25', '2024-12-25, 2025-01-01', '']),
    ),
  }
}

function callOf(
  signature: FunctionSignature,
  kinds: Record<ArgumentKind, fc.Arbitrary<TypedExpression>>,
): fc.Arbitrary<TypedExpression> {
  const { name, parameters, optional = 0, rest, result } = signature
  const further = rest ? fc.array(kinds[rest], { maxLength: 3 }) : fc.constant([])
  return fc
    .tuple(
      fc.tuple(...parameters.map((kind) => kinds[kind])),
      fc.integer({ min: parameters.length - optional, max: parameters.length }),
      further,
    )
    .map(([given, count, more]) => {
      const args = [...given.slice(0, count), ...more]
      const expression = call(
        name,
        args.map((arg) => arg.expression),
      )
      return { expression, type: result(args.map((arg) => arg.type)) }
    })
}

/**
 * Expressions that the type checker must accept, of every type and with every function and operator;
 * the type is computed from the language's description, not by the checker.
 */
export const typedExpression: fc.Arbitrary<TypedExpression> = fc.letrec<
  Record<'part' | PartType['scalar'], TypedExpression>
>((tieAny) => {
  const tie: Tie = (key) => tieAny(key) as fc.Arbitrary<TypedExpression>
  const kinds = argumentsOf(tie)
  const ofKind = operations(tie)
  const calls = (scalar: PartType['scalar'] | 'any') =>
    functionSignatures
      .filter(({ gives }) => gives === scalar)
      .map((signature) => callOf(signature, kinds))
  const branches = (scalar: PartType['scalar']) =>
    fc.tuple(tie('part'), tie(scalar), tie(scalar)).map(([condition, a, b]) => ({
      expression: call('IF', [condition.expression, a.expression, b.expression]),
      type: commonType([a.type, b.type]),
    }))
  const of = (
    scalar: 'string' | 'number' | 'boolean' | 'dateTime',
    literals: readonly fc.Arbitrary<TypedExpression>[],
    operators: readonly fc.Arbitrary<TypedExpression>[],
  ) =>
    fc.oneof(
      { maxDepth: 4, depthIdentifier: 'formula', withCrossShrink: true },
      {
        weight: 2,
        arbitrary: fc.oneof(reference(one(scalar)), reference(list(scalar)), ...literals),
      },
      { weight: 3, arbitrary: fc.oneof(...calls(scalar)) },
      { weight: 2, arbitrary: fc.oneof(branches(scalar), ...operators) },
    )
  return {
    part: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.oneof(
          tie('string'),
          tie('number'),
          tie('boolean'),
          tie('dateTime'),
          tie('blank'),
        ),
      },
      { weight: 1, arbitrary: fc.oneof(...calls('any')) },
    ),
    string: of('string', [typed(stringLiteral, one('string'))], ofKind.string),
    number: of('number', [typed(numberLiteral, one('number'))], ofKind.number),
    boolean: of('boolean', [typed(booleanLiteral, one('boolean'))], ofKind.boolean),
    dateTime: of('dateTime', [], []),
    blank: fc.constant({ expression: call('BLANK'), type: one('blank') }),
  }
}).part

/** Any expression that can be written, whether or not its parts fit together. */
export const anyExpression: fc.Arbitrary<Expression> = fc.letrec<{ expression: Expression }>(
  (tie) => {
    const inner = tie('expression')
    const name = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...functionSignatures.map((each) => each.name)) },
      { weight: 1, arbitrary: fc.constantFrom('FOO', 'TRUE', '_', 'A1') },
    )
    const fieldId = fc.oneof(
      fc.constantFrom('fldNope', 'a} b{', '\\'),
      fc.constantFrom(
        ...(['string', 'number', 'boolean', 'dateTime'] as const).flatMap((scalar) => [
          formulaFieldId({ scalar, isMultiple: false }),
          formulaFieldId({ scalar, isMultiple: true }),
        ]),
      ),
    )
    const anyChain = fc.constantFrom(...new Set(Object.values(operatorLevels))).chain((level) => {
      const operators = (Object.keys(operatorLevels) as Operator[]).filter(
        (operator) => operatorLevels[operator] === level,
      )
      const step = fc.record({ operator: fc.constantFrom(...operators), operand: inner })
      return fc
        .tuple(inner, fc.array(step, { minLength: 1, maxLength: 3 }))
        .map(([first, steps]) => chain(first, steps))
    })
    return {
      expression: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.oneof(
          stringLiteral,
          numberLiteral,
          booleanLiteral,
          fieldId.map((id): Expression => ({ kind: 'reference', fieldId: id, position })),
        ),
        fc.tuple(name, fc.array(inner, { maxLength: 4 })).map(([each, args]) => call(each, args)),
        anyChain,
        inner.map((operand): Expression => ({ kind: 'negation', operand, position })),
      ),
    }
  },
).expression
