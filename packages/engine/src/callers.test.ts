import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import type { CallerOptions, Storage } from '@gateleg/domain/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Engine } from './engine.ts'
import { openEngine } from './open-engine.ts'

let callers: (string | undefined)[]
let engine: Engine

/** A storage that notes whose each transaction is. */
const watched: Storage = {
  name: 'watched',
  open: async (dependencies) => {
    const open = await sqlite({ file: ':memory:' }).open(dependencies)
    const note = ({ caller }: CallerOptions = {}) => callers.push(caller)
    return {
      store: {
        read: (work, options) => {
          note(options)
          return open.store.read(work, options)
        },
        giveWay: () => open.store.giveWay(),
        write: (work, options) => {
          note(options)
          return open.store.write(work, options)
        },
      },
      instanceKey: (candidate) => open.instanceKey(candidate),
      keyFingerprint: (candidate) => open.keyFingerprint(candidate),
      isShared: true,
      close: () => open.close(),
    }
  },
}

beforeEach(async () => {
  callers = []
  engine = await openEngine({ storage: watched, jobs: false })
})

afterEach(() => engine.close())

/** Whose the transactions of the work are, each once. */
async function callersOf(work: () => Promise<unknown>): Promise<unknown[]> {
  callers = []
  await work()
  return [...new Set(callers)]
}

test('[STORE-62] transactions of a user are theirs, whichever credentials they come with', async () => {
  const { id: userId } = await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
  const { spaces } = engine.as({ userId })
  expect(await callersOf(() => spaces.createSpace({ name: 'One' }))).toEqual(['user:usrAda'])
  expect(await callersOf(() => spaces.listSpaces({}))).toEqual(['user:usrAda'])
  const scopes = new Set(['space|read'] as const)
  const token = { kind: 'token', userId, tokenId: 'act1', scopes } as const
  expect(await callersOf(() => engine.as(token).spaces.listSpaces({}))).toEqual(['user:usrAda'])
})

test('[STORE-62] transactions without a user are those of the address, what is prepared for them too', async () => {
  const input = { email: 'ada@example.com', password: 'a good password 1' }
  const from = (address: string) => ({ origin: { address } })
  const signUp = () => engine.public.accounts.signUp(input, from('192.0.2.1'))
  expect(await callersOf(signUp)).toEqual(['address:192.0.2.1'])
  const signIn = () => engine.public.accounts.signIn(input, from('192.0.2.2'))
  expect(await callersOf(signIn)).toEqual(['address:192.0.2.2'])
})

test('[STORE-62] a credential is looked up as a caller of its own, until it is known whose it is', async () => {
  const [first, second, again] = [
    await callersOf(() => engine.authenticate('one')),
    await callersOf(() => engine.authenticate('two')),
    await callersOf(() => engine.authenticate('one')),
  ]
  expect(first).toEqual([expect.stringMatching(/^credential:/)])
  expect(second).not.toEqual(first)
  expect(again).toEqual(first)
})

test('[STORE-62] the background is a caller of its own', async () => {
  await engine.close()
  engine = await openEngine({ storage: watched })
  await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
  callers = []
  // A new name is work for the background, which begins at once.
  await engine.ensureUser({ id: 'usrAda', name: 'Ada Lovelace' })
  await expect.poll(() => callers).toContain('background')
})

test('[ENGINE-46] counts calls for all processes, in the turns of who calls', async () => {
  callers.length = 0
  const call = { subject: 'sign-ins:here', most: 2, seconds: 60 }
  await using other = await openEngine({ storage: sqlite({ file: ':memory:' }), jobs: false })
  expect(await other.countCalls(call, 'address:here')).toBeUndefined()
  const counts = await Promise.all([1, 2, 3].map(() => engine.countCalls(call, 'address:here')))
  const found = counts.map((count) => [count?.isGranted, count?.left])
  expect(found.toSorted()).toEqual([
    [false, 0],
    [true, 0],
    [true, 1],
  ])
  for (const count of counts) expect(count?.msLeft).toBeGreaterThan(50_000)
  expect(callers).toEqual(Array(3).fill('address:here'))
})
