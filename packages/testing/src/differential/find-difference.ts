import { toExactJson } from '../scripts/script.ts'
import type { ScriptRun } from './run-script.ts'

/** What is told of a step and its outcomes. */
const toldLength = 4_000

/**
 * The first thing in which runs of one script on two storages differ, or that must not be on any storage;
 * undefined when there is none. Answers are compared as JSON: callers see no other difference.
 */
export function findDifference([left, right]: readonly [ScriptRun, ScriptRun]): string | undefined {
  for (const [index, outcome] of left.outcomes.entries()) {
    const other = right.outcomes[index]
    const [one, two] = [toExactJson(outcome), toExactJson(other)]
    if (one !== two) return tell('Step', index, one, two)
    if (outcome.defect !== undefined) return tell('A defect in step', index, one)
  }
  const [one, two] = [toExactJson(left.bases, 1), toExactJson(right.bases, 1)]
  if (one !== two) return tell('The bases after step', left.outcomes.length - 1, one, two)
  const hasProblems = left.bases.some(({ problems }) => problems.length > 0)
  return hasProblems ? tell('Problems after step', left.outcomes.length - 1, one) : undefined
}

function tell(what: string, index: number, ...texts: readonly string[]): string {
  return [`${what} ${index}:`, ...texts.map((text) => text.slice(0, toldLength))].join('\n')
}
