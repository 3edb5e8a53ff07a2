import { momentOfTimestamp } from '../dates/moment.ts'
import type { FormulaValue } from '../formula-type.ts'
import { type FormulaRow, spend } from '../runtime/evaluation.ts'
import { formatOf, readText, stepsPerTextOf } from '../runtime/reading.ts'
import { define, settled } from './define.ts'
import type { FormulaFunction, RowFact } from './formula-function.ts'
import { anything } from './parameters.ts'

/** A function without arguments that tells something about the record. */
function about(
  name: string,
  fact: RowFact,
  result: 'string' | 'number' | 'dateTime',
  tell: (row: FormulaRow) => FormulaValue,
): FormulaFunction {
  return define({ name, parameters: [], result, reads: () => fact }, (_, { row }) => tell(row))
}

/** The text form of a value; of a list, of each item. */
const textAll: FormulaFunction = {
  name: 'TEXT_ALL',
  parameters: [anything],
  argumentsMin: 1,
  argumentsMax: 1,
  resultType: ([type]) => ({ scalar: 'string', isMultiple: type?.isMultiple ?? false }),
  compile: ([part]) => {
    if (!part) return () => null
    const { run, ...source } = part
    const format = formatOf(source)
    const read = readText(source)
    return settled('string', (evaluation) => {
      const value = run(evaluation)
      if (value === null || typeof value !== 'object') return read(value, evaluation)
      spend(evaluation, value.length * stepsPerTextOf(source))
      return value.map((item) => (item === null ? null : format(item)))
    })
  },
}

export const systemFunctions = [
  textAll,
  about('RECORD_ID', 'recordId', 'string', (row) => row.recordId),
  about('AUTO_NUMBER', 'autoNumber', 'number', (row) => row.autoNumber),
  about('CREATED_TIME', 'createdTime', 'dateTime', (row) => momentOfTimestamp(row.createdTime)),
  about('LAST_MODIFIED_TIME', 'lastModifiedTime', 'dateTime', (row) =>
    momentOfTimestamp(row.lastModifiedTime),
  ),
]
