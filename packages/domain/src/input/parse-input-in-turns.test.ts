import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { limits } from '../limits.ts'
import { createRecords } from '../records/operations/create-records.ts'
import { updateRecords } from '../records/operations/update-records.ts'
import { parseInput } from './parse-input.ts'
import { parseInputInTurns } from './parse-input-in-turns.ts'

const noTurns = async () => {}

const inTurns = (schema: z.ZodType, input: unknown) => parseInputInTurns(schema, input, noTurns)

const item = (n: number) => ({ id: `rec${n}`, fields: { a: n }, other: 1 })

test('[RECORD-33] a long list is parsed as a short one is, whatever is wrong with it', async () => {
  const change = fc.record({
    at: fc.nat(250),
    value: fc.constantFrom(
      undefined,
      null,
      1,
      {},
      { id: 'rec1', fields: {} },
      { id: 1, fields: 1 },
    ),
  })
  const rest = fc.constantFrom({}, { typecast: true }, { fieldKeyType: 'id' }, { order: undefined })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 90, max: 260 }),
      fc.array(change, { maxLength: 3 }),
      rest,
      async (count, changes, more) => {
        const records: unknown[] = Array.from({ length: count }, (_, n) => item(n))
        for (const { at, value } of changes) if (at < count) records[at] = value
        const input = { tableId: 'tbl1', records, ...more }
        for (const { input: schema } of [createRecords, updateRecords]) {
          expect(await inTurns(schema, input)).toEqual(parseInput(schema, input))
        }
      },
    ),
    { numRuns: 100 },
  )
})

test('[RECORD-33] what is wrong beside a long list is told too, and what holds for the list as a whole', async () => {
  const records = Array.from({ length: limits.recordsPerMutation + 1 }, (_, n) => item(n))
  const { input: schema } = updateRecords
  for (const input of [
    { tableId: 1, records: records.slice(0, 200) },
    { tableId: 'tbl1', records },
    { tableId: 'tbl1', records: [...records.slice(0, 200), item(3)] },
  ]) {
    const parsed = await inTurns(schema, input)
    expect(parsed).toHaveProperty('issues')
    expect(parsed).toEqual(parseInput(schema, input))
  }
})

test('[RECORD-33] checking a long list gives way, and ends when enough is wrong', async () => {
  let turns = 0
  const giveWay = async () => void turns++
  const records: unknown[] = Array.from({ length: 10_000 }, (_, n) => item(n))
  await parseInputInTurns(updateRecords.input, { tableId: 'tbl1', records }, giveWay)
  expect(turns).toBe(100)
  turns = 0
  const bad = { tableId: 'tbl1', records: records.map(() => 1) }
  const parsed = await parseInputInTurns(updateRecords.input, bad, giveWay)
  expect('issues' in parsed ? parsed.issues.length : 0).toBeGreaterThanOrEqual(limits.issuesNamed)
  expect(turns).toBe(1)
})
