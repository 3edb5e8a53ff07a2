import { expect, test } from 'vitest'
import { type AnswerCause, CauseLog } from './cause-log.ts'

function logging() {
  const lines: object[] = []
  const clock = { ms: 0 }
  const write = (fields: object) => lines.push(fields)
  const log = new CauseLog({ info: write, error: write }, () => clock.ms)
  return { lines, clock, log }
}

const busy = (words = 'Others used all connections'): AnswerCause => ({
  status: 503,
  code: 'database_connection_unavailable',
  causeCode: undefined,
  err: new Error(words),
})

test('[HTTP-40] of equal causes the log has one a minute, and then how many there were', () => {
  const { lines, clock, log } = logging()
  for (let request = 0; request < 1_000; request++) log.note(`r${request}`, busy())
  expect(lines).toMatchObject([{ requestId: 'r0', status: 503 }])
  log.note('other', busy('No connection'))
  expect(lines).toHaveLength(2)
  clock.ms = 59_999
  log.note('late', busy())
  expect(lines).toHaveLength(2)
  clock.ms = 60_000
  log.note('later', busy())
  expect(lines[2]).toMatchObject({ requestId: 'later', equalSince: 1_000 })
  clock.ms = 120_000
  log.note('last', busy())
  expect(lines[3]).not.toHaveProperty('equalSince')
})

test('[HTTP-40] causes that are all different are told once a minute, too, beyond a hundred', () => {
  const { lines, log } = logging()
  for (let request = 0; request < 1_000; request++) log.note('r', busy(`cause ${request}`))
  expect(lines).toHaveLength(101)
})
