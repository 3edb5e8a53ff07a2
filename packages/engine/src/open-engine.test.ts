import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { backgroundCaller } from '@gateleg/domain/access/caller-of'
import type { MailSettings } from '@gateleg/domain/accounts/mail/mail-settings'
import type { Mailer } from '@gateleg/domain/accounts/mail/mailer'
import { beginBase, dropUnfinishedKind } from '@gateleg/domain/bases/unfinished-base'
import { toTimestamp } from '@gateleg/domain/clock'
import { DomainError } from '@gateleg/domain/errors'
import type { DomainEvent } from '@gateleg/domain/events/event'
import { defaultSettings } from '@gateleg/domain/settings'
import type { Storage, Store } from '@gateleg/domain/store'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { openEngine } from './open-engine.ts'
import { SystemClock } from './platform/system-clock.ts'

const memory = () => sqlite({ file: ':memory:' })

function raise(message: string): never {
  throw new Error(message)
}

test('[ENGINE-4] listeners hear of commits in order, and of nothing undone', async () => {
  const errors: unknown[] = []
  const engine = await openEngine({
    storage: memory(),
    onBackgroundError: (error) => errors.push(error),
  })
  const heard: DomainEvent[] = []
  engine.subscribe(() => {
    throw new Error('a bad listener')
  })
  engine.subscribe(async () => {
    throw new Error('a bad promise')
  })
  engine.subscribe(() => Promise.reject(undefined))
  const stop = engine.subscribe((event) => heard.push(event))
  const { id: userId } = await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
  const api = engine.as({ userId })
  const { id: spaceId } = await api.spaces.createSpace({ name: 'One' })
  await api.spaces.renameSpace({ spaceId, name: 'Two' })
  await api.spaces.renameSpace({ spaceId, name: '' }).catch(() => undefined)
  await api.spaces.renameSpace({ spaceId, name: 'Three' }, { ifMatch: [1] }).catch(() => undefined)
  stop()
  await api.spaces.deleteSpace({ spaceId })
  expect(heard.map(({ name }) => name)).toEqual(['space.created', 'space.updated'])
  expect(heard[0]).toMatchObject({ userId: 'usrAda', payload: { spaceId } })
  expect(errors).toHaveLength(9)
  await engine.close()
})

/** A storage in memory that counts how often it is opened and closed. */
function watched() {
  const counts = { opened: 0, closed: 0 }
  const storage: Storage = {
    name: 'watched',
    open: async (dependencies) => {
      counts.opened++
      const open = await memory().open(dependencies)
      return {
        store: open.store,
        instanceKey: (candidate) => open.instanceKey(candidate),
        keyFingerprint: (candidate) => open.keyFingerprint(candidate),
        close: async () => {
          counts.closed++
          await open.close()
        },
      }
    },
  }
  return { storage, counts }
}

test('[ENGINE-5] what stops the start lets go of the storage', async () => {
  const { storage, counts } = watched()
  const instanceKey = () => raise('the key is lost')
  await expect(openEngine({ storage, instanceKey })).rejects.toThrow('the key is lost')
  expect(counts).toEqual({ opened: 1, closed: 1 })
})

test('[ENGINE-15] a port that a program brings takes the place of the one that is shipped', async () => {
  const now = Date.parse('2030-01-02T03:04:05.678Z')
  const ports = { clock: { now: () => now }, settings: undefined as never }
  const engine = await openEngine({ storage: memory(), ports })
  const user = await engine.public.accounts.signUp({
    email: 'ada@example.com',
    password: 'A-good-password-1',
  })
  const api = engine.as({ userId: user.id })
  const [space] = await api.spaces.listSpaces({})
  const base = await api.bases.createBase({ spaceId: space?.id ?? '', name: 'Library' })
  const table = await api.tables.createTable({ baseId: base.id, records: [{ fields: {} }] })
  expect(table.records[0]?.createdTime).toBe('2030-01-02T03:04:05.678Z')
  await engine.close()
})

test.each([
  [{ clok: {} }, /^openEngine has no port named clok: .*clock.*settings/],
  [{ store: {} }, /^openEngine has no port named store/],
  [{ clock: null }, /^The port clock must be an object/],
  [{ clock: () => 0 }, /^The port clock must be an object/],
  [{ settings: {} }, /^The port settings has no number maxFolderDepth: .*defaultSettings/],
  [
    { settings: { ...defaultSettings, maxAttachmentBytes: '9' } },
    /^The port settings has no number maxAttachmentBytes/,
  ],
  ['clock', /^openEngine takes ports as an object/],
])('[ENGINE-15] refuses %j as ports, and opens nothing', async (ports, sentence) => {
  const { storage, counts } = watched()
  await expect(openEngine({ storage, ports: ports as never })).rejects.toThrow(sentence)
  expect(counts).toEqual({ opened: 0, closed: 0 })
})

test('[ENGINE-11] refuses what is no text as an instance key', async () => {
  for (const key of [null, 5, () => ['a']]) {
    const opening = openEngine({ storage: memory(), instanceKey: key as never })
    await expect(opening).rejects.toThrow('The instance key must have 32 characters or more')
  }
})

test('[ENGINE-121] finds nobody behind what is no text', async () => {
  await using engine = await openEngine({ storage: memory() })
  for (const credential of [undefined, null, 5, {}]) {
    expect(await engine.authenticate(credential as never)).toBeUndefined()
  }
})

test('[ENGINE-16] the end of a block closes the engine that it holds, once', async () => {
  const { storage, counts } = watched()
  {
    await using engine = await openEngine({ storage })
    expect(await engine.isHealthy()).toBe(true)
    expect(counts.closed).toBe(0)
    await engine.close()
  }
  expect(counts).toEqual({ opened: 1, closed: 1 })
})

test('[ENGINE-6] an instance key is made once and kept', async () => {
  const open = await memory().open({ onCommit: () => undefined })
  const [first, second] = [await open.instanceKey('one'), await open.instanceKey('two')]
  expect([first, second]).toEqual(['one', 'one'])
  await open.close()
})

test('[ENGINE-10] parked jobs are told of at each start, and tried again when they are asked for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  const storage = sqlite({ file: join(folder, 'gateleg.db') })
  const dueTime = '2026-01-01T00:00:00.000Z'
  const open = await storage.open({ onCommit: () => undefined })
  await open.store.write(async ({ jobs }) => {
    await jobs.ensure({ id: 'big', kind: 'some', dueTime, failures: 0 })
    const job = await jobs.claim({
      now: dueTime,
      farthest: '9999',
      leaseUntil: dueTime,
      claim: 'ours',
    })
    if (job) await jobs.park(job, dueTime, 'It fell.')
  })
  await open.close()
  for (const isParked of [true, false]) {
    const told: string[] = []
    const onBackgroundError = (error: unknown) => told.push((error as Error).message)
    const engine = await openEngine({ storage, jobs: false, onBackgroundError })
    expect(told).toEqual(
      isParked ? [expect.stringMatching(/"big" \(some\) has been parked.*It fell/)] : [],
    )
    expect(await engine.parkedJobs()).toHaveLength(isParked ? 1 : 0)
    expect(await engine.retryJob('big')).toBe(isParked)
    await engine.close()
  }
  rmSync(folder, { recursive: true })
})

test('[ENGINE-80] a base that was left unfinished is taken away at the start where only one process uses the storage', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  const file = sqlite({ file: join(folder, 'gateleg.db') })
  const createdTime = toTimestamp(Date.now())
  const base = { id: 'bseUnfinished0000001', name: '', createdBy: 'usrAda', createdTime }
  const open = await file.open({ onCommit: () => undefined })
  await open.store.write((tx) => beginBase(tx, base))
  await open.close()
  let store: Store | undefined
  const storage: Storage = {
    name: 'sqlite',
    open: async (dependencies) => {
      const opened = await file.open(dependencies)
      store = opened.store
      return opened
    },
  }
  const engine = await openEngine({ storage })
  const isLeft = () => store?.write(({ jobs }) => jobs.hasKind(dropUnfinishedKind))
  await expect.poll(isLeft, { timeout: 5_000 }).toBe(false)
  await engine.close()
  rmSync(folder, { recursive: true })
})

test('[ENGINE-7] the clock holds still where the system sets it back a little, and follows a jump', () => {
  const clock = new SystemClock()
  const real = Date.now
  try {
    const now = clock.now()
    Date.now = () => now - 60_000
    expect(clock.now()).toBe(now)
    Date.now = () => now + 1
    expect(clock.now()).toBe(now + 1)
    const year = 365 * 24 * 3_600_000
    Date.now = () => now + year
    expect(clock.now()).toBe(now + year)
    Date.now = () => now + 2
    expect(clock.now()).toBe(now + 2)
  } finally {
    Date.now = real
  }
})

test('[ENGINE-16] an engine that is closed refuses calls', async () => {
  const engine = await openEngine({ storage: memory() })
  const { id: userId } = await engine.ensureUser({ name: 'Ada' })
  const { spaces } = engine.as({ userId })
  await engine.close()
  const refusal = { code: 'database_connection_unavailable', message: 'The engine is closed' }
  for (const call of [
    () => spaces.listSpaces({}),
    () => spaces.createSpace({ name: 'One' }),
    () => engine.public.accounts.signIn({ email: 'ada@example.com', password: 'a password 1' }),
    () => engine.ensureUser({ name: 'Bob' }),
    () => engine.countAccounts(),
    () => engine.parkedJobs(),
  ]) {
    await expect(call()).rejects.toMatchObject(refusal)
    await expect(call()).rejects.toBeInstanceOf(DomainError)
  }
})

test('[ENGINE-16] an engine that is closing refuses calls, while its background finishes what it has begun', async () => {
  let letGo: () => void = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  let isStarted = false
  let isBusy = false
  const storage: Storage = {
    name: 'held',
    open: async (dependencies) => {
      const open = await memory().open(dependencies)
      const { store } = open
      const write: typeof store.write = async (work, options) => {
        if (isStarted && options?.caller === backgroundCaller) {
          isBusy = true
          await held
        }
        return store.write(work, options)
      }
      return {
        store: {
          read: (work, options) => store.read(work, options),
          write,
          giveWay: () => store.giveWay(),
        },
        instanceKey: (candidate) => open.instanceKey(candidate),
        keyFingerprint: (candidate) => open.keyFingerprint(candidate),
        started: async () => {
          isStarted = true
        },
        close: () => open.close(),
      }
    },
  }
  const failures: unknown[] = []
  const engine = await openEngine({ storage, onBackgroundError: (error) => failures.push(error) })
  const { id: userId } = await engine.ensureUser({ name: 'Ada' })
  const { spaces } = engine.as({ userId })
  while (!isBusy) await new Promise((resolve) => setImmediate(resolve))
  const closing = engine.close()
  const refusal = { code: 'database_connection_unavailable', message: 'The engine is closed' }
  await expect(spaces.listSpaces({})).rejects.toMatchObject(refusal)
  await expect(spaces.createSpace({ name: 'One' })).rejects.toMatchObject(refusal)
  await expect(engine.ensureUser({ name: 'Bob' })).rejects.toMatchObject(refusal)
  letGo()
  await closing
  expect(failures).toEqual([])
})

test('[ENGINE-14] says that it needs a storage', async () => {
  for (const options of [undefined, {}, { storage: 'data.db' }]) {
    await expect(openEngine(options as never)).rejects.toThrow(
      /^openEngine needs a storage: openEngine\(\{ storage: sqlite/,
    )
  }
})

test('[ENGINE-14] says which option is meant by one that there is not', async () => {
  const { storage, counts } = watched()
  for (const [options, message] of [
    [{ storage, prots: {} }, 'openEngine has an unknown option prots: did you mean ports?'],
    [{ storge: storage }, 'openEngine has an unknown option storge: did you mean storage?'],
    [{ storage, clock: {} }, 'openEngine has an unknown option clock: there are storage, '],
  ] as const) {
    const opening = openEngine(options as never)
    await expect(opening).rejects.toThrow(TypeError)
    await expect(opening).rejects.toThrow(message)
  }
  expect(counts).toEqual({ opened: 0, closed: 0 })
})

test('[ENGINE-14] says what the options of a call are', async () => {
  await using engine = await openEngine({ storage: memory() })
  const { id: userId } = await engine.ensureUser({ name: 'Ada' })
  const { spaces } = engine.as({ userId })
  const wrong: readonly (readonly [options: unknown, place: string])[] = [
    [{ ifMatch: 1 }, 'ifMatch'],
    [{ ifMatch: ['"v1"'] }, 'ifMatch'],
    [{ ifMatch: null }, 'ifMatch'],
    [{ idempotencyKey: 7 }, 'idempotencyKey'],
    [{ origin: '192.0.2.1' }, 'origin'],
    [{ origin: { address: 7 } }, 'origin'],
    [{ answerLength: '1000' }, 'answerLength'],
    [{ answerLength: Number.NaN }, 'answerLength'],
    [{ mayEndSooner: 'no' }, 'mayEndSooner'],
    [{ signal: true }, 'signal'],
    [null, 'options'],
    ['v1', 'options'],
    [{ ifmatch: [1] }, 'ifmatch'],
    [{ idempotencykey: 'x' }, 'idempotencykey'],
    [{ retries: 3 }, 'retries'],
  ]
  for (const [options, place] of wrong) {
    await expect(spaces.createSpace({}, options as never)).rejects.toMatchObject({
      name: 'DomainError',
      code: 'validation_error',
      data: { issues: [{ path: [place] }] },
    })
  }
  await expect(spaces.createSpace({}, { ifmatch: [1] } as never)).rejects.toThrow(
    'ifmatch: is not an option of a call: did you mean ifMatch?',
  )
  expect(await spaces.listSpaces()).toEqual([])
})

test('[ENGINE-14] says who may call, and what hears of events', async () => {
  await using engine = await openEngine({ storage: memory() })
  const misspelt = { kind: 'User', userId: 'usrAda' }
  // What is left of a token's actor that went through JSON.
  const flat = { kind: 'token', userId: 'usrAda', tokenId: 'acc1', scopes: {} }
  const nobody = [undefined, null, 'usrAda', {}, { userId: 1 }, { kind: 'user' }, misspelt, flat]
  for (const caller of nobody) {
    expect(() => engine.as(caller as never)).toThrow(TypeError)
    expect(() => engine.as(caller as never)).toThrow('engine.as takes the user who calls')
  }
  for (const listener of [undefined, 'x', {}]) {
    expect(() => engine.subscribe(listener as never)).toThrow(TypeError)
    expect(() => engine.subscribe(listener as never)).toThrow('engine.subscribe takes a function')
  }
})

/** A storage that is interrupted like that, and tells when it is closed. */
function telling(told: string[], interrupt: () => Promise<void>): Storage {
  return {
    name: 'telling',
    open: async (dependencies) => {
      const open = await memory().open(dependencies)
      return {
        store: open.store,
        instanceKey: (candidate) => open.instanceKey(candidate),
        keyFingerprint: (candidate) => open.keyFingerprint(candidate),
        interrupt,
        close: () => {
          told.push('close')
          return open.close()
        },
      }
    },
  }
}

test('[ENGINE-41] closing ends what is long before it waits for the background', async () => {
  const told: string[] = []
  const storage = telling(told, async () => void told.push('interrupt'))
  const engine = await openEngine({ storage })
  await engine.close()
  expect(told).toEqual(['interrupt', 'close'])
})

test('[ENGINE-42] closing lets go of a storage that fails to end what is long', async () => {
  const told: string[] = []
  const storage = telling(told, () => Promise.reject(new Error('lost')))
  const engine = await openEngine({ storage })
  await expect(engine.close()).rejects.toThrow('lost')
  expect(told).toEqual(['close'])
})

test('[ENGINE-44] closing waits for mails for which no caller waits', async () => {
  const told: string[] = []
  const mailer: Mailer = {
    send: async ({ to, text }) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(text).toContain('https://tables.example/#')
      if (to.startsWith('never')) await new Promise(() => {})
      told.push(to)
      if (to.startsWith('fails')) throw new Error('no such box')
    },
  }
  // An object of a class, whose getters are not its own members.
  class Settings {
    readonly #mailer = mailer
    readonly #url = 'https://tables.example'
    get mailer() {
      return this.#mailer
    }
    get publicUrl() {
      return this.#url
    }
    onFailure(error: Error) {
      told.push(error.message)
    }
  }
  const close = async (emails: readonly string[]) => {
    const failures: unknown[] = []
    const engine = await openEngine({
      storage: memory(),
      ports: { mail: new Settings() as MailSettings },
      onBackgroundError: (error) => failures.push(error),
    })
    for (const email of emails) {
      await engine.public.accounts.signUp({ email, password: 'A-good-password-1' })
      await engine.public.accounts.sendPasswordReset({ email })
    }
    await engine.close()
    return failures
  }
  expect(await close(['ada@example.com', 'fails@example.com'])).toEqual([])
  expect(told).toEqual(['ada@example.com', 'fails@example.com', 'no such box'])
  await withLimits({ mailSeconds: 0.2 }, async () => {
    expect(await close(['never@example.com'])).toEqual([
      new Error('The engine was closed before 1 mails were sent'),
    ])
  })
})
