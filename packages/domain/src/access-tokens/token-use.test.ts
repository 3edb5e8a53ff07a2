import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { openEngine } from '@gateleg/engine/open-engine'
import { expect, test } from 'vitest'
import type { Storage, Store } from '../store.ts'

/** A storage whose writes can be made to fail, as those of a full disk do. */
function fillable(storage: Storage) {
  const state = { isFull: false }
  const open: Storage['open'] = async (dependencies) => {
    const opened = await storage.open(dependencies)
    const store: Store = {
      read: (work) => opened.store.read(work),
      giveWay: () => opened.store.giveWay(),
      write: async (work) => {
        if (state.isFull) throw new Error('full')
        return opened.store.write(work)
      },
    }
    return {
      store,
      instanceKey: (candidate) => opened.instanceKey(candidate),
      keyFingerprint: (candidate) => opened.keyFingerprint(candidate),
      close: () => opened.close(),
    }
  }
  return { state, storage: { name: storage.name, open } }
}

test('[TOKEN-14] goes on where the use of a token can not be noted', async () => {
  const { state, storage } = fillable(sqlite({ file: ':memory:' }))
  const engine = await openEngine({ storage })
  const ada = await engine.public.accounts.signUp({
    email: 'ada@example.com',
    password: 'correct horse 1',
  })
  const { token } = await engine.as({ userId: ada.id }).accessTokens.createToken({
    name: 'Robot',
    scopes: ['space|read'],
    hasFullAccess: true,
    expiredTime: '9999-01-01',
  })
  state.isFull = true
  const actor = await engine.authenticate(token)
  expect(actor).toMatchObject({ kind: 'token', userId: ada.id })
  await engine.close()
})

test('[TOKEN-14] notes one of two uses at once', async () => {
  const storage = await sqlite({ file: ':memory:' }).open({ onCommit: () => {} })
  const id = 'acc0000000000000001'
  const uses = ['2026-01-01T00:01:00.000Z', '2026-01-01T00:01:00.001Z']
  const lastUsedTime = await storage.store.write(async ({ accessTokens }) => {
    await accessTokens.insert({
      id,
      userId: 'usr1',
      name: 'Robot',
      description: undefined,
      scopes: [],
      spaceIds: undefined,
      baseIds: undefined,
      hasFullAccess: true,
      tokenHash: '',
      expiresTime: '9999-01-01T00:00:00.000Z',
      createdTime: '2026-01-01T00:00:00.000Z',
      lastUsedTime: '2026-01-01T00:00:00.000Z',
      version: 1,
    })
    for (const now of uses) await accessTokens.noteUse(id, now, '2026-01-01T00:00:00.001Z')
    return (await accessTokens.find(id))?.lastUsedTime
  })
  expect(lastUsedTime).toBe(uses[0])
  await storage.close()
})
