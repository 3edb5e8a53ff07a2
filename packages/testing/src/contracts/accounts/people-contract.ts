import type { AccessToken } from '@gateleg/domain/access-tokens/access-token'
import type { Session } from '@gateleg/domain/accounts/sessions/session'
import { describe, expect, it } from 'vitest'
import { newUser } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const time = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`

/** Declares what every UserRepository promises. */
export function userRepositoryContract({ store, other }: OpenedStorage): void {
  describe('every UserRepository', () => {
    it('[STORE-64] gives a user back as they were written, with all that may be missing or not', async () => {
      const full = newUser(1, {
        ...{ passwordHash: 'hash', isAdmin: true, avatar: 'one.png', phone: '1', lang: 'de' },
        ...{ signsIn: false, notifyByEmail: false, isEmailVerified: true },
        ...{ refMeta: { referer: 'https://example.com' } },
      })
      const bare = newUser(2, { refMeta: undefined })
      await store.write(async (tx) => {
        for (const user of [full, bare]) await tx.users.insert(user)
      })
      await other.read(async (tx) => {
        expect(await tx.users.find('usr1')).toEqual(full)
        expect(await tx.users.find('usr2')).toEqual(bare)
        expect(await tx.users.count()).toBe(2)
        const { name, email, avatar } = full
        expect(await tx.users.profilesOf(['usr1', 'usr9'])).toEqual(
          new Map([['usr1', { name, email, avatar }]]),
        )
      })
      const changed = { ...bare, name: 'Bob', email: 'bob@example.com', version: 2 }
      await store.write((tx) => tx.users.update(changed))
      expect(await store.read((tx) => tx.users.find('usr2'))).toEqual(changed)
      expect(await store.read((tx) => tx.users.find('usr1'))).toEqual(full)
    })

    it('[STORE-311] knows when the first account was made', async () => {
      const first = () => other.read((tx) => tx.users.firstCreatedTime())
      expect(await first()).toBeUndefined()
      await store.write(async (tx) => {
        await tx.users.insert(newUser(1, { createdTime: time(2) }))
        await tx.users.insert(newUser(2, { createdTime: time(1), deletedTime: time(3) }))
      })
      expect(await first()).toBe(time(1))
    })

    it('[STORE-64] finds addresses whatever the case of A to Z, and takes no other letters for one', async () => {
      await store.write((tx) => tx.users.insert(newUser(1, { email: 'kim@example.com' })))
      const find = (email: string) => store.read((tx) => tx.users.findByEmail(email))
      expect((await find('KIM@Example.com'))?.id).toBe('usr1')
      expect(await find('\u212aim@example.com')).toBeUndefined()
    })

    it('[STORE-301] knows whose account is gone, and finds nobody by its address', async () => {
      const gone = newUser(2, { deletedTime: time(1) })
      await store.write(async (tx) => {
        for (const user of [newUser(1), gone]) await tx.users.insert(user)
      })
      const ids = ['usr1', 'usr2', 'usr3']
      for (const lock of ['none', 'share', 'update'] as const) {
        const living = await store.write((tx) => tx.users.livingAmong(ids, lock))
        expect(living).toEqual(new Set(['usr1']))
      }
      await store.read(async (tx) => {
        expect(await tx.users.livingAmong([])).toEqual(new Set())
        expect(await tx.users.find('usr2')).toEqual(gone)
        expect(await tx.users.findByEmail(gone.email)).toBeUndefined()
        expect(await tx.users.namesOf(ids)).toHaveProperty('size', 2)
      })
    })

    it('[STORE-65] gives the administration to the first who asks', async () => {
      const ids = ['usr1', 'usr2', 'usr3', 'usr4']
      const claims = await Promise.all(
        ids.map((id) => store.write((tx) => tx.users.claimAdministration(id))),
      )
      expect(claims.filter((isFirst) => isFirst)).toHaveLength(1)
    })
  })
}

/** Declares what every SessionRepository promises. */
export function sessionRepositoryContract({ store }: OpenedStorage): void {
  const session = (number: number, settings: Partial<Session> = {}): Session => ({
    id: `ses${number}`,
    userId: 'usr1',
    tokenHash: `hash${number}`,
    address: undefined,
    userAgent: undefined,
    createdTime: time(number),
    expiresTime: time(9),
    ...settings,
  })
  const insert = (...sessions: Session[]) =>
    store.write(async (tx) => {
      for (const one of sessions) await tx.sessions.insert(one)
    })
  const idsOf = async (userId = 'usr1', now = time(0)) =>
    (await store.read((tx) => tx.sessions.listOf(userId, now))).map(({ id }) => id)

  describe('every SessionRepository', () => {
    it('[STORE-64] finds a session by the digest of its token, and lists those that have not ended', async () => {
      const known = session(1, { address: '127.0.0.1', userAgent: 'a browser' })
      const ended = session(2, { expiresTime: time(3) })
      await insert(known, ended, session(3), session(4, { userId: 'usr2' }))
      const find = (hash: string) => store.read((tx) => tx.sessions.findByTokenHash(hash))
      expect(await find('hash1')).toEqual(known)
      expect(await find('hash2')).toEqual(ended)
      expect(await find('ses1')).toBeUndefined()
      expect(await idsOf()).toEqual(['ses3', 'ses2', 'ses1'])
      expect(await idsOf('usr1', time(4))).toEqual(['ses3', 'ses1'])
    })

    it('[STORE-66] ends the sessions it is told to, and those of nobody else', async () => {
      await insert(...[1, 2, 3, 4, 5].map((number) => session(number)))
      await insert(session(6, { userId: 'usr2' }))
      const end = (id: string) => store.write((tx) => tx.sessions.delete(id, 'usr1'))
      expect([await end('ses1'), await end('ses1'), await end('ses6')]).toEqual([
        true,
        false,
        false,
      ])
      await store.write((tx) => tx.sessions.deleteOldest('usr1', 3))
      expect(await idsOf()).toEqual(['ses5', 'ses4', 'ses3'])
      await store.write((tx) => tx.sessions.deleteOthers('usr1', 'ses4'))
      expect(await idsOf()).toEqual(['ses4'])
      await store.write((tx) => tx.sessions.deleteOthers('usr1', undefined))
      expect(await idsOf()).toEqual([])
      expect(await idsOf('usr2')).toEqual(['ses6'])
    })

    it('[STORE-67] forgets what has ended, so many at a time', async () => {
      await insert(...[1, 2, 3].map((number) => session(number, { expiresTime: time(number) })))
      const sweep = () => store.write((tx) => tx.sessions.deleteExpired(time(3), 1))
      expect([await sweep(), await sweep(), await sweep()]).toEqual([1, 1, 0])
      expect(await idsOf()).toEqual(['ses3'])
    })
  })
}

/** Declares what every AccessTokenRepository promises. */
export function accessTokenRepositoryContract({ store }: OpenedStorage): void {
  const bare: AccessToken = {
    id: 'acc1',
    userId: 'usr1',
    name: 'Script',
    description: undefined,
    scopes: ['base|read'],
    spaceIds: undefined,
    baseIds: undefined,
    hasFullAccess: true,
    tokenHash: 'hash1',
    expiresTime: time(9),
    createdTime: time(2),
    lastUsedTime: undefined,
    version: 1,
  }
  const find = (id: string) => store.read((tx) => tx.accessTokens.find(id))

  describe('every AccessTokenRepository', () => {
    it('[STORE-64] gives tokens back as they were written, oldest first', async () => {
      const reaching: AccessToken = {
        ...{ ...bare, id: 'acc2', description: 'For "this"', hasFullAccess: false },
        ...{ spaceIds: ['spc1'], baseIds: [], createdTime: time(1) },
      }
      await store.write(async (tx) => {
        for (const token of [bare, reaching]) await tx.accessTokens.insert(token)
        await tx.accessTokens.insert({ ...bare, id: 'acc3', userId: 'usr2' })
      })
      expect(await store.read((tx) => tx.accessTokens.listOf('usr1'))).toEqual([reaching, bare])
      const changed = { ...bare, name: 'Another', tokenHash: 'hash2', version: 2 }
      await store.write((tx) => tx.accessTokens.update(changed))
      expect(await find('acc1')).toEqual(changed)
      await store.write((tx) => tx.accessTokens.delete('acc1'))
      expect(await find('acc1')).toBeUndefined()
      expect(await find('acc2')).toEqual(reaching)
      await store.write((tx) => tx.accessTokens.deleteOfUser('usr1'))
      expect(await store.read((tx) => tx.accessTokens.listOf('usr1'))).toEqual([])
      expect(await find('acc3')).toBeDefined()
    })

    it('[STORE-66] notes a use, unless one was noted lately', async () => {
      await store.write((tx) => tx.accessTokens.insert(bare))
      const note = async (now: string, before: string) => {
        await store.write((tx) => tx.accessTokens.noteUse('acc1', now, before))
        return (await find('acc1'))?.lastUsedTime
      }
      expect(await note(time(3), time(2))).toBe(time(3))
      expect(await note(time(4), time(2))).toBe(time(3))
      expect(await note(time(5), time(4))).toBe(time(5))
    })
  })
}
