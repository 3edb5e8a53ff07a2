import { expect, test } from 'vitest'
import { findDifference } from './find-difference.ts'
import type { Outcome, ScriptRun } from './run-script.ts'

const step = { place: 0, operation: 'spaces.listSpaces', actor: 0, args: {} } as const
const outcome: Outcome = { step, input: {}, answer: [], events: [] }
const base = { baseId: 'bse', hash: 'a', records: 1, problems: [] }

function run(changes: Partial<Outcome> = {}, bases = [base]): ScriptRun {
  return { outcomes: [{ ...outcome, ...changes }], bases }
}

const refusal = { code: 'not_found', message: 'There is none', data: undefined }
const event = { name: 'space.created', time: '', userId: '', payload: { spaceId: 'spc' } } as const

test.each([
  ['answer', run({ answer: { a: 1 } }), run({ answer: { a: 2 } })],
  ['sign of zero', run({ answer: 0 }), run({ answer: -0 })],
  ['error', run({ error: refusal }), run({ error: { ...refusal, message: 'There is nothing' } })],
  ['event', run({ events: [event] }), run()],
  ['hash of a base', run(), run({}, [{ ...base, hash: 'b' }])],
])('[STORE-40] another %s is a difference', (_, left, right) => {
  expect(findDifference([left, right])).toBeDefined()
})

test('[STORE-40] equal runs are no difference, unless what they show may not be', () => {
  expect(findDifference([run(), run()])).toBeUndefined()
  const defect = run({ defect: 'Error' })
  expect(findDifference([defect, defect])).toContain('defect')
  const problem = run({}, [{ ...base, problems: ['A node stands for nothing'] }] as never)
  expect(findDifference([problem, problem])).toContain('Problems')
})
