import { countCharacters, findCharacters, sliceCharacters } from '../runtime/code-points.ts'
import { spend, spendText } from '../runtime/evaluation.ts'
import { TextFinder } from '../runtime/find-text.ts'
import { joinTexts } from '../runtime/reading.ts'
import { define, defineVariadic, settled, settleList } from './define.ts'
import { type FormulaFunction, runArgument } from './formula-function.ts'
import { number, text } from './parameters.ts'
import { regexpReplace } from './regexp-replace.ts'

/** A function from text to text: empty for an empty cell. */
function ofText(name: string, evaluate: (source: string) => string) {
  return define({ name, parameters: [text] as const, result: 'string' }, ([source]) =>
    source === null ? null : evaluate(source),
  )
}

/** FIND and SEARCH: one-based place of a text in another, case-sensitive. */
function search(name: string, absent: number | null) {
  const parameters = [text, text, number] as const
  return define({ name, parameters, optional: 1, result: 'number' }, ([part, source, from]) => {
    const start = Math.max(Math.trunc(from ?? 1) - 1, 0)
    const index = source === null ? -1 : findCharacters(source, part ?? '', start)
    return index < 0 ? absent : index + 1
  })
}

const left = define(
  { name: 'LEFT', parameters: [text, number] as const, optional: 1, result: 'string' },
  ([source, count]) => source && sliceCharacters(source, 0, Math.trunc(count ?? 1)),
)

const right = define(
  { name: 'RIGHT', parameters: [text, number] as const, optional: 1, result: 'string' },
  ([source, count]) => {
    if (source === null) return null
    const length = countCharacters(source)
    return sliceCharacters(source, length - Math.max(Math.trunc(count ?? 1), 0), length)
  },
)

/** The start counts from 0. */
const mid = define(
  { name: 'MID', parameters: [text, number, number] as const, result: 'string' },
  ([source, start, count]) => {
    if (source === null) return null
    const from = Math.max(Math.trunc(start ?? 0), 0)
    return sliceCharacters(source, from, from + Math.trunc(count ?? 0))
  },
)

/** The start counts from 1. */
const replace = define(
  { name: 'REPLACE', parameters: [text, number, number, text] as const, result: 'string' },
  ([source, start, count, replacement], evaluation) => {
    if (source === null) return null
    const from = Math.max(Math.trunc(start ?? 1) - 1, 0)
    const to = from + Math.max(Math.trunc(count ?? 0), 0)
    const before = sliceCharacters(source, 0, from)
    const after = sliceCharacters(source, to, source.length)
    return joinTexts([before, replacement ?? '', after], '', evaluation)
  },
)

const substitute = define(
  {
    name: 'SUBSTITUTE',
    parameters: [text, text, text, number] as const,
    optional: 1,
    result: 'string',
  },
  ([source, old, replacement, index], evaluation) => {
    if (!source || !old) return source
    const parts = new TextFinder(old).split(source)
    spend(evaluation, parts.length)
    if (index === null) return joinTexts(parts, replacement ?? '', evaluation)
    const nth = Math.trunc(index)
    if (nth < 1 || nth >= parts.length) return source
    const before = parts.slice(0, nth).join(old)
    return joinTexts([before, parts.slice(nth).join(old)], replacement ?? '', evaluation)
  },
)

const rept = define(
  { name: 'REPT', parameters: [text, number] as const, result: 'string' },
  ([source, count], evaluation) => {
    if (source === null) return null
    const times = Math.max(Math.trunc(count ?? 0), 0)
    if (source === '' || times === 0) return ''
    spendText(evaluation, source.length * times)
    return source.repeat(times)
  },
)

/** Text stays, anything else becomes empty. */
const onlyText: FormulaFunction = {
  ...ofText('T', (source) => source),
  compile: (args) => {
    const run = runArgument(text, args[0])
    return settled('string', args[0]?.type.scalar === 'string' ? run : () => null)
  },
}

/** All but letters, digits and - _ . ~ as percent signs and hexadecimal digits. */
function encodeUrlComponent(source: string): string {
  return encodeURIComponent(source.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** What stands before the first delimiter; empty when there is none. */
const textBefore = define(
  { name: 'TEXTBEFORE', parameters: [text, text] as const, result: 'string' },
  ([source, delimiter]) => {
    if (source === null || delimiter === null) return null
    const index = new TextFinder(delimiter).find(source)
    return index < 0 ? null : source.slice(0, index)
  },
)

/** The list of the texts between delimiters; one of the whole when the delimiter is empty. */
const textSplit: FormulaFunction = {
  ...define(
    { name: 'TEXTSPLIT', parameters: [text, text] as const, result: 'string' },
    ([source, delimiter], evaluation) => {
      if (source === null) return null
      return settleList(delimiter ? new TextFinder(delimiter).split(source) : [source], evaluation)
    },
  ),
  resultType: () => ({ scalar: 'string', isMultiple: true }),
}

export const textFunctions = [
  defineVariadic({ name: 'CONCATENATE', parameter: text, result: 'string' }, (parts, evaluation) =>
    joinTexts(
      parts.filter((each) => each !== null),
      '',
      evaluation,
    ),
  ),
  search('FIND', 0),
  search('SEARCH', null),
  mid,
  left,
  right,
  replace,
  regexpReplace,
  substitute,
  ofText('LOWER', (source) => source.toLowerCase()),
  ofText('UPPER', (source) => source.toUpperCase()),
  rept,
  ofText('TRIM', (source) => source.trim()),
  define({ name: 'LEN', parameters: [text] as const, result: 'number' }, ([source]) =>
    countCharacters(source ?? ''),
  ),
  onlyText,
  ofText('ENCODE_URL_COMPONENT', encodeUrlComponent),
  textBefore,
  textSplit,
]
