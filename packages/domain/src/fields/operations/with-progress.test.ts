import { expect, test } from 'vitest'
import type { FieldOutput } from '../field-output.ts'
import { withProgress } from './with-progress.ts'

/** What a pending field shows, of whose records so many are done. */
async function progressOf(after: number, until: number): Promise<unknown> {
  const calculations = { listOf: async () => [{ fieldId: 'fld1', after, until }] }
  const view = { id: 'fld1', isPending: true } as FieldOutput
  const [shown] = await withProgress({ calculations } as never, 'tbl1', [view])
  return shown?.progress
}

test('[CALC-46] shows how much of a pending field is done, in hundredths that are cut off', async () => {
  expect(await progressOf(0, 5)).toBe(0)
  expect(await progressOf(2, 5)).toBe(0.4)
  expect(await progressOf(4_999, 20_001)).toBe(0.24)
  expect(await progressOf(29, 100)).toBe(0.29)
  expect(await progressOf(999_999, 1_000_000)).toBe(0.99)
  expect(await progressOf(7, 5)).toBe(1)
})
