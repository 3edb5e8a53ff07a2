import {
  type FormulaScalar,
  type FormulaValue,
  type PartType,
  partTypes,
  unionOf,
} from '../formula-type.ts'
import { type Evaluation, spend, spendList, spendReading } from '../runtime/evaluation.ts'
import { readAs } from '../runtime/read-as.ts'
import { joinTexts } from '../runtime/reading.ts'
import { define, settled } from './define.ts'
import type { FormulaFunction } from './formula-function.ts'
import { anything, text, texts } from './parameters.ts'

type Items = readonly (FormulaScalar | null)[]

/** An empty cell has no items, a single value is its own. */
function itemsOf(value: FormulaValue): Items {
  if (value === null) return []
  return typeof value === 'object' ? value : [value]
}

/** A count of items over all arguments, each with the type of its argument. */
function counting(
  name: string,
  argumentsMax: number,
  isCounted: (item: FormulaScalar | null, type: PartType) => boolean,
): FormulaFunction {
  return {
    name,
    parameters: [anything],
    argumentsMin: 1,
    argumentsMax,
    resultType: () => partTypes.number,
    compile: (args) =>
      settled('number', (evaluation) => {
        let count = 0
        for (const { run, type } of args) {
          const items = itemsOf(run(evaluation))
          spend(evaluation, items.length)
          for (const item of items) if (isCounted(item, type)) count++
        }
        return count
      }),
  }
}

/** A list made of the items of all arguments. */
function listing(name: string, change: (items: Items) => Items): FormulaFunction {
  const resultType = (types: readonly PartType[]) => ({ ...unionOf(types), isMultiple: true })
  return {
    name,
    parameters: [anything],
    argumentsMin: 1,
    argumentsMax: Number.POSITIVE_INFINITY,
    resultType,
    compile: (args) => {
      const type = resultType(args.map((arg) => arg.type))
      const reads = args.map((arg) => ({ run: arg.run, read: readAs(arg, type) }))
      return (evaluation: Evaluation) => {
        const items: (FormulaScalar | null)[] = []
        for (const { run, read } of reads) {
          const added = itemsOf(read(run(evaluation), evaluation))
          spendList(evaluation, items.length + added.length, added.length)
          for (const item of added) items.push(item)
        }
        spendReading(evaluation, items, stepsPerItem)
        return change(items)
      }
    },
  }
}

/** What an item takes to be told from all others. */
const stepsPerItem = 20

/** By a text where it is a number: whoever chose the numbers can't make them hard to tell apart. */
function keyOf(item: FormulaScalar | null): FormulaScalar | null {
  return typeof item === 'number' ? `#${item}` : item
}

/** The items without those that came before. Those of one list are all of one kind. */
function unique(items: Items): Items {
  const seen = new Set<FormulaScalar | null>()
  return items.filter((item) => seen.size < seen.add(keyOf(item)).size)
}

function isFilled(item: FormulaScalar | null): boolean {
  return item !== null && item !== ''
}

const arrayJoin = define(
  { name: 'ARRAY_JOIN', parameters: [texts, text] as const, optional: 1, result: 'string' },
  ([items, separator], evaluation) => {
    const filled = items.filter((item) => item !== null)
    return filled.length === 0 ? null : joinTexts(filled, separator ?? ', ', evaluation)
  },
)

export const arrayFunctions = [
  counting('COUNTALL', 1, () => true),
  counting('COUNTA', Number.POSITIVE_INFINITY, isFilled),
  counting(
    'COUNT',
    Number.POSITIVE_INFINITY,
    (item, { scalar }) => item !== null && scalar === 'number',
  ),
  arrayJoin,
  listing('ARRAY_UNIQUE', unique),
  listing('ARRAY_FLATTEN', (items) => items),
  listing('ARRAY_COMPACT', (items) => items.filter(isFilled)),
]
