import { expect, test } from 'vitest'
import { BodyBudget } from './body-budget.ts'

/** Three fourths of it are for large bodies. */
const budget = () => new BodyBudget(1_000)

/** A body of the caller that has so many bytes so far, and whether it was given up. */
function arriving(of: BodyBudget, caller: string, bytes: number) {
  const share = of.open({ caller, isSmall: false })
  const body = { share, isGivenUp: false }
  share.arrives((reason) => {
    expect(reason).toMatchObject({ code: 'service_busy', data: { retryAfterSeconds: 5 } })
    body.isGivenUp = true
  })
  share.take(bytes)
  return body
}

const busy = expect.objectContaining({ code: 'service_busy' })

test('[HTTP-63] who has most makes room, one body at a time', () => {
  const of = budget()
  const bodies = [
    arriving(of, 'a', 200),
    arriving(of, 'b', 300),
    arriving(of, 'c', 150),
    arriving(of, 'd', 100),
  ]
  const e = arriving(of, 'e', 100)
  expect(bodies.map(({ isGivenUp }) => isGivenUp)).toEqual([false, true, false, false])
  e.share.take(50)
  e.share.take(150)
  expect(bodies.map(({ isGivenUp }) => isGivenUp)).toEqual([false, true, false, false])
  // It has most itself by now.
  expect(() => e.share.take(1)).toThrow(busy)
  expect(e.isGivenUp).toBe(false)
})

test('[HTTP-63] who has no less takes nothing from others, nor from themselves', () => {
  const of = budget()
  const a = arriving(of, 'a', 375)
  const b = arriving(of, 'b', 375)
  const c = of.open({ caller: 'c', isSmall: false })
  expect(() => c.take(375)).toThrow(busy)
  expect([a.isGivenUp, b.isGivenUp]).toEqual([false, false])
  expect(() => a.share.take(1)).toThrow(busy)
  c.take(374)
  expect([a.isGivenUp, b.isGivenUp]).toEqual([true, false])
})

test('[HTTP-63] a body that has come whole stays, and an ended one is given up no more', () => {
  const of = budget()
  const whole = arriving(of, 'a', 700)
  whole.share.hasArrived()
  const b = of.open({ caller: 'b', isSmall: false })
  expect(() => b.take(100)).toThrow(busy)
  whole.share.end()
  const ended = arriving(of, 'c', 700)
  ended.share.end()
  b.take(100)
  const d = arriving(of, 'd', 650)
  b.take(100)
  expect([whole.isGivenUp, ended.isGivenUp, d.isGivenUp]).toEqual([false, false, true])
  d.share.end()
  b.end()
  // Nothing was given back twice.
  arriving(of, 'e', 750)
  expect(() => of.open({ caller: 'f', isSmall: false }).take(751)).toThrow(
    expect.objectContaining({ code: 'payload_too_large' }),
  )
})
