import { UnfitPattern } from '../regexp/pattern.ts'
import { compilePattern, type Program } from '../regexp/program.ts'
import { replaceAll } from '../regexp/replace-all.ts'
import { spend } from '../runtime/evaluation.ts'
import { define } from './define.ts'
import { parsed, text } from './parameters.ts'

/** A step of a search makes an object or two: it takes as long as a dozen characters that are copied. */
const stepsPerSearchStep = 12

function parse(source: string): Program | undefined {
  const program = compilePattern(source)
  return program instanceof UnfitPattern ? undefined : program
}

const pattern = parsed('a search pattern', parse, (source) => {
  const program = compilePattern(source)
  return program instanceof UnfitPattern ? `The search pattern: ${program.reason}` : undefined
})

/** A pattern that is nothing changes nothing; an empty text is one that matches between all characters. */
export const regexpReplace = define(
  { name: 'REGEXP_REPLACE', parameters: [text, pattern, text] as const, result: 'string' },
  ([source, program, replacement], evaluation) => {
    if (source === null || program === undefined) return null
    if (program === null) return source
    const spendSearching = (steps: number) => spend(evaluation, steps * stepsPerSearchStep)
    return replaceAll(source, program, replacement ?? '', spendSearching)
  },
)
