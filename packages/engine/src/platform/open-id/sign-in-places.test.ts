import { limits } from '@gateleg/domain/limits'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { SignInPlaces } from './sign-in-places.ts'

const never = () => new AbortController().signal
const busy = { code: 'service_busy' }

/** What happens to the places that somebody asks for, in the order in which it does. */
function watch(places: SignInPlaces) {
  const entered: string[] = []
  const ask = async (owner: string, signal = never()) => {
    const leave = await places.take(owner, signal)
    entered.push(owner)
    return leave
  }
  return { entered, ask }
}

test('[OPENID-8] one more than an owner may wait for is refused at once, and so is one more than all may', async () => {
  const few = { openIdPerOwner: 1, openIdWaitingPerOwner: 1, openIdWaiting: 2 }
  await withLimits(few, async () => {
    const { ask } = watch(new SignInPlaces())
    for (const owner of ['a', 'b', 'c']) await ask(owner)
    const ends = new AbortController()
    const waiting = ['a', 'b'].map((owner) => ask(owner, ends.signal))
    const refused = waiting.map((place) => expect(place).rejects.toMatchObject(busy))
    await expect(ask('a')).rejects.toMatchObject(busy)
    await expect(ask('c')).rejects.toMatchObject(busy)
    ends.abort()
    await Promise.all(refused)
  })
})

test('[OPENID-8] who waits enters when a place is free, in turn; who gave up does not', async () => {
  const { entered, ask } = watch(new SignInPlaces())
  const leaves: (() => void)[] = []
  for (let time = 0; time < limits.openIdPerOwner; time++) leaves.push(await ask('a'))
  const ends = new AbortController()
  const given = ask('a', ends.signal)
  const next = ask('a')
  const last = ask('a')
  await ask('b')
  expect(entered).toEqual(['a', 'a', 'a', 'a', 'b'])
  ends.abort()
  await expect(given).rejects.toMatchObject(busy)
  leaves[0]?.()
  // A place is given back once.
  leaves[0]?.()
  const leave = await next
  expect(entered).toHaveLength(6)
  leave()
  await last
})

test('[OPENID-8] of the second half of the places an owner has one at most', async () => {
  await withLimits({ openIdAtOnce: 8 }, async () => {
    const { entered, ask } = watch(new SignInPlaces())
    const leaves: (() => void)[] = []
    for (let time = 0; time < limits.openIdPerOwner; time++) leaves.push(await ask('a'))
    const waiting = ['a', 'b', 'b', 'c', 'd', 'e', 'f'].map((owner) => ask(owner))
    const others = await Promise.all([1, 3, 4, 5].map((at) => waiting[at]))
    expect(entered.toSorted().join('')).toBe('aaaabcde')
    // All places are taken: the first to leave makes room for who has none, though others came before.
    leaves[0]?.()
    await waiting[6]
    expect(entered.at(-1)).toBe('f')
    for (const leave of [...leaves, ...others]) leave?.()
    await Promise.all([0, 2].map((at) => waiting[at]))
  })
})
