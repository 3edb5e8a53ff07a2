import { quoteReference } from '@gateleg/domain/formulas/syntax/escapes'
import { printFormula } from '@gateleg/domain/formulas/syntax/print-formula'
import type { CellValueType } from '@gateleg/domain/values/value-type'
import fc from 'fast-check'
import { typedExpression } from '../arbitraries/formula.ts'
import type { KnownTable } from './script-state.ts'

/** What stands for a field in an expression: its kind, `any` for all; whether it is a list; its place among those. */
const placeholder = /\{(string|number|boolean|dateTime|any)(\[\])?(:|=)(\d)\}/g

type Kind = CellValueType | 'any'

/** Mostly by id; `=` names the field by its name. */
function fieldOf(kind: Kind): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(':', ':', ':', ':', ':', '='),
      fc.constantFrom('', '', '', '[]'),
      fc.nat({ max: 4 }),
    )
    .map(([by, list, nth]) => `{${kind}${list}${by}${nth}}`)
}

type Parts = Readonly<Record<Kind, fc.Arbitrary<string>>>

/** The text with a part of the kind in each of its gaps: <N> for a number, <A> for anything. */
function fill({ any, number, string, boolean, dateTime }: Parts, text: string) {
  const parts = { A: any, N: number, S: string, B: boolean, D: dateTime }
  const pieces = text.split(/<([ANSBD])>/)
  const filled = pieces.map((piece, index) =>
    index % 2 === 0 ? fc.constant(piece) : parts[piece as keyof typeof parts],
  )
  return fc.tuple(...filled).map((all) => all.join(''))
}

const leaves: Parts = {
  any: fc.oneof(fieldOf('any'), fc.constantFrom('BLANK()', 'TRUE', '"a"', '0', '{any:0}')),
  number: fc.oneof(
    { weight: 3, arbitrary: fieldOf('number') },
    { weight: 1, arbitrary: fc.constantFrom('0', '1', '-2.5', '1e308', '0.1', 'AUTO_NUMBER()') },
  ),
  string: fc.oneof(
    { weight: 3, arbitrary: fieldOf('string') },
    { weight: 1, arbitrary: fc.constantFrom('"a"', '"12"', '"ä\\n💺"', '""', 'RECORD_ID()') },
  ),
  boolean: fc.oneof(fieldOf('boolean'), fc.constantFrom('TRUE', 'FALSE')),
  dateTime: fc.oneof(
    fieldOf('dateTime'),
    fc.constantFrom('CREATED_TIME()', 'LAST_MODIFIED_TIME()', 'NOW()', 'TODAY()'),
  ),
}

/** Any of the texts, which are written one after the other. */
function calls(parts: Parts, texts: string): fc.Arbitrary<string> {
  return fc.oneof(...texts.split(' | ').map((text) => fill(parts, text)))
}

/** Parts that nest one level deeper than those that they are made of. */
function deeper(parts: Parts): Parts {
  const of = (kind: Exclude<Kind, 'any'>, ...texts: readonly string[]) =>
    fc.oneof(parts[kind], calls(parts, texts.join(' | ')))
  const number = of(
    'number',
    '<N> + <N> | <N> - <N> | <N> * <N> | <N> / <N> | <A> % <N> | -<N> | ROUND(<N>, 2) | LEN(<A>)',
    'SUM(<A>, <A>) | MAX(<N>, <N>) | AVERAGE(<A>) | COUNTALL(<A>) | YEAR(<D>) | VALUE(<S>)',
    'IF(<B>, <N>, <N>) | IF(<A>, <N>, BLANK())',
  )
  const string = of(
    'string',
    '<A> & <A> | <S> + <S> | UPPER(<S>) | CONCATENATE(<A>, ", ", <A>) | LEFT(<S>, 2) | T(<A>)',
    'ARRAY_JOIN(<A>) | SUBSTITUTE(<S>, "a", <S>) | DATETIME_FORMAT(<D>, "YYYY-MM-DD HH:mm")',
    'IF(<B>, <S>, <S>) | IF(<A>, <S>, BLANK())',
  )
  const boolean = of(
    'boolean',
    '<A> = <A> | <N> > <N> | <D> < <D> | AND(<A>, <B>) | NOT(<A>) | IS_ERROR(<A>)',
  )
  const dateTime = of('dateTime', 'DATE_ADD(<D>, <N>, "day") | DATETIME_PARSE(<S>)')
  const list = calls(parts, 'ARRAY_UNIQUE(<A>) | ARRAY_COMPACT(<A>) | ARRAY_FLATTEN(<A>, <A>)')
  return {
    number,
    string,
    boolean,
    dateTime,
    any: fc.oneof(number, string, boolean, dateTime, list),
  }
}

const someFunction = typedExpression.map(({ expression }) =>
  printFormula(expression).replace(
    /\{fld(string|number|boolean|dateTime)(One|List)0*\}/g,
    (_whole, kind: string, form: string) => `{${kind}${form === 'List' ? '[]' : ''}:0}`,
  ),
)

const wrong = fc.constantFrom('', '1 +', '{fldNothing}', 'NOTHING(1)', '"a" - ', '-"a"', 'SUM(')

/** Expressions of formulas, with placeholders for fields. Most can be computed where such fields are. */
export const expression: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: deeper(leaves).any },
  { weight: 4, arbitrary: deeper(deeper(leaves)).any },
  { weight: 2, arbitrary: someFunction },
  { weight: 1, arbitrary: wrong },
)

/** The expression over the fields of the table. */
export function toExpression(text: string, table: KnownTable | undefined): string {
  return text.replace(placeholder, (_whole, kind: Kind, list = '', by: string, nth: string) => {
    const fields = table?.fields.there.filter(
      ({ cellValueType, isMultipleCellValue = false }) =>
        kind === 'any' || (cellValueType === kind && isMultipleCellValue === (list !== '')),
    )
    const field = fields?.[Number(nth) % fields.length]
    return quoteReference(field?.[by === '=' ? 'name' : 'id'] ?? 'unknown')
  })
}
