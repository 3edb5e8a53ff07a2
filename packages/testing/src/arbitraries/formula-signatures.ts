import type { PartType } from '@gateleg/domain/formulas/formula-type'

/** What a function may ask of an argument. */
export type ArgumentKind =
  | 'any'
  | 'number'
  | 'undated'
  | 'date'
  | 'onlyDate'
  | 'unit'
  | 'weekday'
  | 'writtenPattern'
  | 'readPattern'
  | 'searchPattern'
  | 'holidays'

/** One way of calling a function, as the language describes it. */
export interface FunctionSignature {
  readonly name: string
  readonly parameters: readonly ArgumentKind[]
  /** How many of the last parameters may be left out. */
  readonly optional?: number
  /** The kind of any number of further arguments. */
  readonly rest?: ArgumentKind
  /** The kind of its values, `any` when that depends on the arguments. */
  readonly gives: PartType['scalar'] | 'any'
  readonly result: (args: readonly PartType[]) => PartType
}

/** The type that holds the values of all: blank fits any, different ones become text. */
export function commonType(types: readonly PartType[]): PartType {
  const isMultiple = types.some((type) => type.isMultiple)
  const [first, ...others] = types.filter(({ scalar }) => scalar !== 'blank')
  if (!first) return { scalar: 'blank', isMultiple }
  const isCommon = others.every(({ scalar }) => scalar === first.scalar)
  return { scalar: isCommon ? first.scalar : 'string', isMultiple }
}

/** Arguments in the notation `number, unit?, any...`. */
function parse(text: string): Pick<FunctionSignature, 'parameters' | 'optional' | 'rest'> {
  const words = text.split(', ').filter((word) => word !== '')
  const rest = words.at(-1)?.endsWith('...') ? words.at(-1)?.slice(0, -3) : undefined
  const parameters = words.map((word) => word.replace(/(\?|\.\.\.)$/, '') as ArgumentKind)
  const optional = words.filter((word) => word.endsWith('?')).length
  return { parameters, optional, ...(rest === undefined ? {} : { rest: rest as ArgumentKind }) }
}

function giving(scalar: PartType['scalar'], functions: Readonly<Record<string, string>>) {
  return Object.entries(functions).map(
    ([name, text]): FunctionSignature => ({
      name,
      ...parse(text),
      gives: scalar,
      result: () => ({ scalar, isMultiple: false }),
    }),
  )
}

const lists = ['ARRAY_UNIQUE', 'ARRAY_FLATTEN', 'ARRAY_COMPACT'].map(
  (name): FunctionSignature => ({
    name,
    ...parse('any...'),
    gives: 'any',
    result: (types) => ({ ...commonType(types), isMultiple: true }),
  }),
)

/** The results of SWITCH are its every other argument, and the last when it has no partner. */
function switchType(types: readonly PartType[]): PartType {
  const args = types.slice(1)
  return commonType(args.filter((_, index) => index % 2 === 1 || index === args.length - 1))
}

/** Every function of the language; MAX and MIN twice, for numbers and for dates. */
export const functionSignatures: readonly FunctionSignature[] = [
  ...giving('number', {
    SUM: 'undated...',
    AVERAGE: 'undated...',
    MAX: 'undated...',
    MIN: 'undated...',
    ROUND: 'number, number?',
    ROUNDUP: 'number, number?',
    ROUNDDOWN: 'number, number?',
    CEILING: 'number, number?',
    FLOOR: 'number, number?',
    EVEN: 'number',
    ODD: 'number',
    INT: 'number',
    ABS: 'number',
    SQRT: 'number',
    POWER: 'number, number',
    EXP: 'number',
    LOG: 'number, number?',
    MOD: 'number, number',
    VALUE: 'any',
    FIND: 'any, any, number?',
    SEARCH: 'any, any, number?',
    LEN: 'any',
    YEAR: 'date',
    MONTH: 'date',
    DAY: 'date',
    HOUR: 'date',
    MINUTE: 'date',
    SECOND: 'date',
    WEEKDAY: 'date, weekday?',
    WEEKNUM: 'date, weekday?',
    FROMNOW: 'date, unit?',
    TONOW: 'date, unit?',
    DATETIME_DIFF: 'date, date, unit?',
    WORKDAY_DIFF: 'date, date, holidays?',
    COUNTALL: 'any',
    COUNTA: 'any...',
    COUNT: 'any...',
    AUTO_NUMBER: '',
  }),
  ...giving('string', {
    CONCATENATE: 'any...',
    MID: 'any, number, number',
    LEFT: 'any, number?',
    RIGHT: 'any, number?',
    REPLACE: 'any, number, number, any',
    REGEXP_REPLACE: 'any, searchPattern, any',
    SUBSTITUTE: 'any, any, any, number?',
    LOWER: 'any',
    UPPER: 'any',
    REPT: 'any, number',
    TRIM: 'any',
    T: 'any',
    ENCODE_URL_COMPONENT: 'any',
    TEXTBEFORE: 'any, any',
    ERROR: 'any?',
    DATESTR: 'date',
    TIMESTR: 'date',
    DATETIME_FORMAT: 'date, writtenPattern?',
    ARRAY_JOIN: 'any, any?',
    RECORD_ID: '',
  }),
  ...giving('boolean', {
    AND: 'any...',
    OR: 'any...',
    XOR: 'any...',
    NOT: 'any',
    IS_ERROR: 'any',
    IS_SAME: 'date, date, unit?',
    IS_AFTER: 'date, date, unit?',
    IS_BEFORE: 'date, date, unit?',
  }),
  ...giving('dateTime', {
    MAX: 'onlyDate...',
    MIN: 'onlyDate...',
    TODAY: '',
    NOW: '',
    WORKDAY: 'date, number, holidays?',
    DATE_ADD: 'date, number, unit',
    DATETIME_PARSE: 'any, readPattern?',
    CREATED_TIME: '',
    LAST_MODIFIED_TIME: '',
  }),
  ...giving('blank', { BLANK: '' }),
  ...lists,
  {
    name: 'TEXT_ALL',
    ...parse('any'),
    gives: 'string',
    result: ([type]) => ({ scalar: 'string', isMultiple: type?.isMultiple ?? false }),
  },
  {
    name: 'TEXTSPLIT',
    ...parse('any, any'),
    gives: 'string',
    result: () => ({ scalar: 'string', isMultiple: true }),
  },
  {
    name: 'IF',
    ...parse('any, any, any'),
    gives: 'any',
    result: (types) => commonType(types.slice(1)),
  },
  { name: 'SWITCH', ...parse('any, any...'), gives: 'any', result: switchType },
]
