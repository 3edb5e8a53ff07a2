import {
  isTrue,
  isTrueValue,
  itemsOf,
  itemText,
  joined,
  type ModelItems,
  type ModelPart,
  type ModelType,
  NoValue,
  numberOf,
  textOf,
  toResult,
  unionOf,
  valueAs,
} from './model-value.ts'

interface ModelFunction {
  /** The type of the result, undefined when the arguments don't fit. */
  type(args: readonly ModelType[]): ModelType | undefined
  run(args: readonly ModelPart[]): ModelItems
}

const single = (scalar: ModelType['scalar']) => (): ModelType => ({ scalar, isList: false })
const listOf = (types: readonly ModelType[]): ModelType => ({ ...unionOf(types), isList: true })

function numbersOf(args: readonly ModelPart[]): readonly number[] {
  return args.flatMap((arg) => itemsOf(arg.value()).map(numberOf)).filter(Number.isFinite)
}

function ofNumbers(work: (numbers: readonly number[]) => number): ModelFunction {
  return { type: single('number'), run: (args) => toResult(work(numbersOf(args))) }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function ofTruths(work: (truths: readonly boolean[]) => boolean): ModelFunction {
  const run = (args: readonly ModelPart[]) =>
    work(args.flatMap((arg) => itemsOf(arg.value()).map(isTrue)))
  return { type: single('boolean'), run }
}

function ofText(work: (text: string) => string): ModelFunction {
  const run = (args: readonly ModelPart[]) => {
    const text = args[0] ? textOf(args[0]) : null
    return text === null ? null : work(text)
  }
  return { type: single('string'), run }
}

/** The items of a value, where nothing is no item. */
function presentItems(value: ModelItems) {
  return value === null ? [] : typeof value === 'object' ? value : [value]
}

function counting(isCounted: (item: unknown, type: ModelType) => boolean): ModelFunction {
  const run = (args: readonly ModelPart[]) =>
    args.flatMap(({ value, type }) => presentItems(value()).filter((item) => isCounted(item, type)))
      .length
  return { type: single('number'), run }
}

const isFilled = (item: unknown) => item !== null && item !== ''

function listing(change: (items: ReturnType<typeof presentItems>) => ModelItems): ModelFunction {
  const run = (args: readonly ModelPart[]) => {
    const type = listOf(args.map((arg) => arg.type))
    return change(args.flatMap((arg) => presentItems(valueAs(arg, type))))
  }
  return { type: listOf, run }
}

const joinedItems: ModelFunction = {
  type: single('string'),
  run: (args) => {
    const texts = args.flatMap((arg) =>
      itemsOf(arg.value())
        .filter((item) => item !== null)
        .map(itemText),
    )
    return texts.length === 0 ? null : joined(texts, ', ')
  },
}

/** Halves go up, of the digits that the number is written with. */
function rounded(value: number, places: number): number {
  const moved = (number: number, by: number) => {
    const [digits, exponent = '0'] = String(number).split('e')
    return Number(`${digits}e${Number(exponent) + by}`)
  }
  return places === 0 ? Math.round(value) : moved(Math.round(moved(value, places)), -places)
}

const isOneNumber = ({ scalar, isList }: ModelType) =>
  scalar === 'blank' || (scalar === 'number' && !isList)

/** The functions that formulas and rollups of the model call. */
const modelFunctions = {
  SUM: ofNumbers(sum),
  AVERAGE: ofNumbers((numbers) => {
    const total = sum(numbers)
    if (Math.abs(total) !== Number.POSITIVE_INFINITY) return total / numbers.length
    return sum(numbers.map((number) => number / numbers.length))
  }),
  MAX: ofNumbers((numbers) => (numbers.length === 0 ? Number.NaN : Math.max(...numbers))),
  MIN: ofNumbers((numbers) => (numbers.length === 0 ? Number.NaN : Math.min(...numbers))),
  AND: ofTruths((truths) => truths.every(Boolean)),
  OR: ofTruths((truths) => truths.some(Boolean)),
  XOR: ofTruths((truths) => truths.filter(Boolean).length % 2 === 1),
  NOT: { type: single('boolean'), run: ([arg]) => !isTrueValue(arg?.value() ?? null) },
  IF: {
    type: ([, yes, no]) => yes && no && unionOf([yes, no]),
    run: ([condition, yes, no]) => {
      if (!condition || !yes || !no) throw new NoValue('IF takes three')
      return valueAs(isTrueValue(condition.value()) ? yes : no, unionOf([yes.type, no.type]))
    },
  },
  IS_ERROR: {
    type: single('boolean'),
    run: ([arg]) => {
      try {
        arg?.value()
        return false
      } catch (error) {
        if (error instanceof NoValue) return true
        throw error
      }
    },
  },
  BLANK: { type: single('blank'), run: () => null },
  ROUND: {
    type: (types) => (types.every(isOneNumber) ? single('number')() : undefined),
    run: ([number, places]) => {
      const value = number?.value() ?? null
      return value === null ? null : toResult(rounded(Number(value), Number(places?.value() ?? 0)))
    },
  },
  LEN: {
    type: single('number'),
    run: ([arg]) => [...((arg && textOf(arg)) ?? '')].length,
  },
  UPPER: ofText((text) => text.toUpperCase()),
  LOWER: ofText((text) => text.toLowerCase()),
  CONCATENATE: {
    type: single('string'),
    run: (args) =>
      joined(
        args.map((arg) => textOf(arg) ?? ''),
        '',
      ),
  },
  ARRAY_JOIN: joinedItems,
  ARRAY_UNIQUE: listing((items) => [...new Set(items)]),
  ARRAY_FLATTEN: listing((items) => items),
  ARRAY_COMPACT: listing((items) => items.filter(isFilled)),
  COUNTALL: counting(() => true),
  COUNTA: counting(isFilled),
  COUNT: counting((item, { scalar }) => item !== null && scalar === 'number'),
} as const satisfies Record<string, ModelFunction>

export type ModelFunctionName = keyof typeof modelFunctions

/** The function of the name, of whatever number of arguments. */
export function modelFunction(name: ModelFunctionName): ModelFunction {
  return modelFunctions[name]
}
