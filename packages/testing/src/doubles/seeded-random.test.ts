import { expect, test } from 'vitest'
import { SeededRandom } from './seeded-random.ts'

function drawn(seed: number, run = 0): string[] {
  const random = new SeededRandom()
  random.run = run
  random.restart(seed)
  return [random.unique(16), random.unique(16), random.text(8), random.digits(6)]
}

test('[STORE-42] what is drawn depends on the seed, and tells runs apart at its end', () => {
  expect(drawn(1)).toEqual(drawn(1))
  expect(new Set([...drawn(1), ...drawn(2)]).size).toBe(8)
  const stem = (text: string) => text.slice(0, 11)
  expect(drawn(1, 7).map(stem)).toEqual(drawn(1, 8).map(stem))
  expect(drawn(1, 7)[0]).not.toBe(drawn(1, 8)[0])
})

test('[STORE-42] work that is run again draws the same', () => {
  const random = new SeededRandom()
  random.restart(1)
  random.text(3)
  const goBack = random.mark()
  const first = random.text(16)
  goBack()
  expect(random.text(16)).toBe(first)
})
