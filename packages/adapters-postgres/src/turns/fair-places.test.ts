import { ownCaller } from '@gateleg/domain/structures/fair-queue'
import { expect, test } from 'vitest'
import { FairPlaces } from './fair-places.ts'

const long = 60_000

function newPlaces(size: number, ofOneCaller: number, waitMsMax = long): FairPlaces {
  return new FairPlaces({ size, ofOneCaller, waitMsMax, tooLate: () => new Error('too late') })
}

/** Asks for places, and answers the names of those who have one, in the order in which they got it. */
function asking(places: FairPlaces, names: readonly string[]): string[] {
  const entered: string[] = []
  for (const name of names) {
    const waiting = places.enter(name)
    // Who waits beyond the end of a test is refused later, which is no part of it.
    const refused = () => {}
    if (waiting) waiting.then(() => entered.push(name), refused)
    else entered.push(name)
  }
  return entered
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('[POSTGRES-20] lends each place to one, and gives it to callers in turn', async () => {
  const places = newPlaces(2, 2)
  const entered = asking(places, ['a', 'a', 'a', 'a', 'b', 'b', 'c'])
  expect(entered).toEqual(['a', 'a'])
  for (let times = 0; times < 5; times++) {
    places.leave(entered[times] ?? '')
    await settled()
    expect(entered).toHaveLength(3 + times)
  }
  expect(entered.slice(2)).toEqual(['a', 'b', 'c', 'a', 'b'])
})

test('[POSTGRES-20] keeps places from a caller who has their part, for others who come', async () => {
  const places = newPlaces(4, 3)
  const entered = asking(places, ['a', 'a', 'a', 'a', 'a', 'b', 'b'])
  expect(entered).toEqual(['a', 'a', 'a', 'b'])
  places.leave('b')
  await settled()
  expect(entered.slice(4)).toEqual(['b'])
  places.leave('b')
  await settled()
  expect(entered).toHaveLength(5)
  places.leave('a')
  await settled()
  expect(entered.slice(5)).toEqual(['a'])
})

test('[POSTGRES-22] keeps the last places for callers who have none, however many have some', async () => {
  const places = new FairPlaces({
    size: 5,
    ofOneCaller: 3,
    kept: 2,
    waitMsMax: long,
    tooLate: () => new Error('too late'),
  })
  const entered = asking(places, ['a', 'a', 'a', 'a', 'b', 'b', 'c', 'd'])
  expect(entered).toEqual(['a', 'a', 'a', 'b', 'c'])
  places.leave('a')
  await settled()
  expect(entered.slice(5)).toEqual(['d'])
  places.leave('c')
  places.leave('a')
  await settled()
  // Three are taken: only who has none would be let in.
  expect(entered).toHaveLength(6)
  places.leave('d')
  await settled()
  expect(entered.slice(6)).toEqual(['a'])
})

test('[POSTGRES-20] lets the program itself have all', () => {
  expect(asking(newPlaces(2, 1), [ownCaller, ownCaller])).toHaveLength(2)
})

test('[POSTGRES-20] refuses who has waited too long, and forgets them', async () => {
  const places = newPlaces(1, 1, 10)
  expect(places.enter('a')).toBeUndefined()
  await expect(places.enter('b')).rejects.toThrow('too late')
  places.leave('a')
  expect(places.enter('c')).toBeUndefined()
})
