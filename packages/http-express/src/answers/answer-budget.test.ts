import { limits } from '@gateleg/domain/limits'
import { expect, test } from 'vitest'
import { AnswerBudget } from './answer-budget.ts'

/** In a unit of which the large part has 24, the small one eight; a caller has eight, two of them small. */
const small = limits.tentativeAnswerBytes
const bytesAtOnce = 32 * small
const large = 8 * small

/** Opens shares; each says whether it is had by now. */
function opener(budget: AnswerBudget) {
  return (caller: string, bytes: number) => {
    const one = { isOpen: false, end: () => {} }
    budget.open(caller, bytes).then(
      (share) => {
        one.isOpen = true
        one.end = () => share.end()
      },
      () => undefined,
    )
    return one
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('[HTTP-56] large answers of any number of callers leave small ones room', async () => {
  const open = opener(new AnswerBudget({ bytesAtOnce }))
  const greedy = Array.from({ length: 9 }, (_, index) => open(`greedy${index}`, large))
  await turn()
  expect(greedy.filter(({ isOpen }) => isOpen)).toHaveLength(3)
  const others = Array.from({ length: 8 }, (_, index) => open(`other${index}`, small))
  await turn()
  expect(others.filter(({ isOpen }) => isOpen)).toHaveLength(8)
  // What small ones leave is for small ones: no large one goes on before one of its own kind has ended.
  for (const { end } of others) end()
  await turn()
  expect(greedy.filter(({ isOpen }) => isOpen)).toHaveLength(3)
  greedy[0]?.end()
  await turn()
  expect(greedy.filter(({ isOpen }) => isOpen)).toHaveLength(4)
})

test('[HTTP-56] one caller has a part of what is for small answers, and their line keeps nobody else waiting', async () => {
  const open = opener(new AnswerBudget({ bytesAtOnce }))
  for (const caller of ['a', 'b', 'c']) open(caller, large)
  const many = Array.from({ length: 3 }, () => open('many', small))
  await turn()
  expect(many.filter(({ isOpen }) => isOpen)).toHaveLength(2)
  const others = Array.from({ length: 7 }, (_, index) => open(`other${index}`, small))
  await turn()
  expect(others.filter(({ isOpen }) => isOpen)).toHaveLength(6)
  many[0]?.end()
  await turn()
  // Each has room in their part: who came first goes on.
  expect(many.filter(({ isOpen }) => isOpen)).toHaveLength(3)
  many[1]?.end()
  await turn()
  expect(others.every(({ isOpen }) => isOpen)).toBe(true)
})

test('[HTTP-56] small answers use what large ones leave, and none passes a large one that waits for it', async () => {
  const open = opener(new AnswerBudget({ bytesAtOnce }))
  const lists = ['a', 'b', 'c', 'd'].flatMap((caller) =>
    Array.from({ length: 8 }, () => open(caller, small)),
  )
  await turn()
  // All of the large part, and two of the small one: the caller of the others has their part of it.
  expect(lists.filter(({ isOpen }) => isOpen)).toHaveLength(26)
  const waiting = open('large', large)
  await turn()
  for (const { end } of lists.slice(0, 8)) end()
  await turn()
  expect(lists.filter(({ isOpen }) => isOpen)).toHaveLength(32)
  expect(waiting.isOpen).toBe(false)
  for (const { end } of lists.slice(8, 16)) end()
  const late = ['x', 'y'].map((caller) => open(caller, large))
  await turn()
  expect([waiting, ...late].map(({ isOpen }) => isOpen)).toEqual([true, false, false])
})

test('[HTTP-41] an answer that becomes larger than was lent counts from then on, until it ends', async () => {
  const budget = new AnswerBudget({ bytesAtOnce })
  const share = await budget.open('writer', large)
  share.grow(small)
  const open = opener(budget)
  const second = open('second', large)
  await turn()
  expect(second.isOpen).toBe(true)
  share.grow(2 * large)
  const third = open('third', large)
  await turn()
  expect(third.isOpen).toBe(false)
  share.end()
  // What is made after that is nobody's any more.
  share.grow(3 * large)
  await turn()
  expect(third.isOpen).toBe(true)
})
