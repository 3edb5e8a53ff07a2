import { beforeEach, expect, test } from 'vitest'
import { ProcessorTurns } from './processor-turns.ts'

/** An event loop whose turns a test makes, and whose clock it sets. */
class ManualLoop {
  time = 0
  #calls: (() => void)[] = []

  now(): number {
    return this.time
  }

  nextTurn(call: () => void): void {
    this.#calls.push(call)
  }

  /** Makes the calls that were asked for, each followed by what it resumes; then whatever comes in. */
  async turn(comesIn: () => void = () => {}): Promise<void> {
    const calls = this.#calls
    this.#calls = []
    for (const call of calls) {
      call()
      await settle()
    }
    comesIn()
    await settle()
  }

  /** Makes turns until nobody has asked for another one. */
  async finish(): Promise<void> {
    while (this.#calls.length > 0) await this.turn()
  }
}

/** Lets everything go on that waits for nothing but a promise. */
async function settle(): Promise<void> {
  for (let times = 0; times < 50; times++) await undefined
}

let loop: ManualLoop
let turns: ProcessorTurns
let steps: string[]

beforeEach(() => {
  loop = new ManualLoop()
  turns = new ProcessorTurns(loop)
  steps = []
})

/** Work of so many steps, each of which takes as long. */
async function work(name: string, count: number, milliseconds: number): Promise<void> {
  for (let step = 1; step <= count; step++) {
    loop.time += milliseconds
    steps.push(`${name}${step}`)
    await turns.giveWay()
  }
}

test('[STORE-45] goes on at once until it is time', async () => {
  turns.giveWay()
  await work('a', 2, 0.5)
  expect(steps).toHaveLength(2)
})

test('[STORE-45] lets the event loop turn when it is time, again and again', async () => {
  turns.giveWay()
  const working = work('a', 50, 0.5)
  const perTurn: number[] = []
  for (let before = 0; steps.length < 50; before = steps.length) {
    await loop.turn()
    perTurn.push(steps.length - before)
  }
  expect(Math.max(...perTurn.slice(1))).toBeLessThanOrEqual(4)
  await loop.finish()
  await working
})

test('[STORE-45] counts from the beginning of a turn, not from the turn before', async () => {
  turns.giveWay()
  await loop.turn()
  loop.time += 1_000
  const working = work('a', 2, 0.5)
  await settle()
  expect(steps).toEqual(['a1', 'a2'])
  await working
})

test('[STORE-45] goes round among works, so that each gets on', async () => {
  turns.giveWay()
  const working = Promise.all(['a', 'b', 'c'].map((name) => work(name, 3, 20)))
  await loop.finish()
  await working
  expect(steps.join(' ')).toBe('a1 b1 c1 a2 b2 c2 a3 b3 c3')
})

test('[STORE-45] resumes no more works in a turn than its share lasts', async () => {
  turns.giveWay()
  loop.time += 20
  const names = Array.from({ length: 8 }, (_, index) => `w${index}-`)
  const working = Promise.all(
    names.map(async (name) => {
      await turns.giveWay()
      await work(name, 1, 1.25)
    }),
  )
  await loop.turn()
  expect(steps).toHaveLength(2)
  await loop.finish()
  await working
  expect(steps).toHaveLength(8)
})

test('[STORE-45] leaves what comes in a share of its own beside work that takes long', async () => {
  turns.giveWay()
  const long = work('long', 20, 20)
  for (let turn = 1; turn <= 5; turn++) {
    let isDone = false
    await loop.turn(() => {
      work('short', 2, 0.5).then(() => {
        isDone = true
      })
    })
    expect(isDone).toBe(true)
  }
  await loop.finish()
  await long
})

test('[STORE-84] resumes nothing as long as the loop brings something, until its share is used up', async () => {
  turns.giveWay()
  const long = work('long', 20, 3)
  await loop.turn()
  const resumed: number[] = []
  for (let turn = 1; turn <= 12; turn++) {
    const before = steps.length
    await loop.turn(() => {
      loop.time += 0.5
    })
    if (steps.length > before) resumed.push(turn)
  }
  // Three turns with something of half a millisecond each are its share.
  const pauses = resumed.map((turn, index) => turn - (resumed[index - 1] ?? 0)).slice(1)
  expect(pauses.length).toBeGreaterThan(0)
  for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(3)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(4)
  // Nothing comes any more: it is resumed in each turn.
  const before = steps.length
  await loop.turn()
  await loop.turn()
  await loop.turn()
  expect(steps.length).toBeGreaterThanOrEqual(before + 2)
  await loop.finish()
  await long
})
