import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

const time = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`
const farthest = '2026-01-02T00:00:00.000Z'

/** Declares what every AttemptRepository promises. */
export function attemptRepositoryContract({ store }: OpenedStorage): void {
  const reserve = (subject: string, now = 1, most = 2) =>
    store.write((tx) =>
      tx.attempts.reserve(subject, { most, now: time(now), until: time(now + 3), farthest }),
    )

  describe('every AttemptRepository', () => {
    it('[STORE-65] grants as many tries of a subject as may be, however many come at one time', async () => {
      const tries = await Promise.all(
        Array.from({ length: 8 }, () =>
          store.write((tx) =>
            tx.attempts.reserve('ada', { most: 3, now: time(1), until: time(4), farthest }),
          ),
        ),
      )
      expect(tries.filter((until) => until === undefined)).toHaveLength(3)
      expect(tries.filter((until) => until === time(4))).toHaveLength(5)
      expect(await reserve('bob')).toBeUndefined()
    })

    it('[STORE-65] counts anew once a count has ended, and gives tries back', async () => {
      await reserve('ada')
      await reserve('ada')
      expect(await reserve('ada')).toBe(time(4))
      await store.write((tx) => tx.attempts.release('ada'))
      expect(await reserve('ada')).toBeUndefined()
      expect(await reserve('ada')).toBe(time(4))
      expect(await reserve('ada', 4)).toBeUndefined()
      await reserve('ada', 4)
      expect(await reserve('ada', 4)).toBe(time(7))
      await store.write((tx) => tx.attempts.clear('ada'))
      expect(await reserve('ada', 4)).toBeUndefined()
    })

    it('[STORE-340] tells how many tries were counted, each once, until the count ends', async () => {
      const count = (subject: string, now: number, tries?: number) =>
        store.write((tx) =>
          tx.attempts.count(subject, {
            ...{ now: time(now), until: time(now + 3), farthest },
            ...(tries !== undefined && { tries }),
          }),
        )
      const counts = await Promise.all(Array.from({ length: 6 }, () => count('ada', 1)))
      expect(counts.map(({ tries }) => tries).toSorted()).toEqual([1, 2, 3, 4, 5, 6])
      expect(new Set(counts.map(({ until }) => until))).toEqual(new Set([time(4)]))
      expect(await count('bob', 3)).toEqual({ tries: 1, until: time(6) })
      expect(await count('ada', 3)).toEqual({ tries: 7, until: time(4) })
      expect(await count('ada', 4)).toEqual({ tries: 1, until: time(7) })
      expect(await count('ada', 5, 10)).toEqual({ tries: 11, until: time(7) })
      expect(await count('eve', 1, 10)).toEqual({ tries: 10, until: time(4) })
      expect(await count('eve', 5, 3)).toEqual({ tries: 3, until: time(8) })
    })

    it('[STORE-67] forgets counts that have ended, so many at a time', async () => {
      for (const subject of ['a', 'b', 'c']) await reserve(subject, 1, 1)
      await reserve('later', 5, 1)
      const sweep = () => store.write((tx) => tx.attempts.deleteExpired(time(5), 2))
      expect([await sweep(), await sweep(), await sweep()]).toEqual([2, 1, 0])
      expect(await reserve('later', 5, 1)).toBe(time(8))
    })
  })
}

/** Declares what every InviteCodeRepository promises. */
export function inviteCodeRepositoryContract({ store }: OpenedStorage): void {
  describe('every InviteCodeRepository', () => {
    it('[STORE-65] gives as many uses as a code has, however many ask at one time', async () => {
      const code = { id: 'inv1', codeHash: 'hash1', createdBy: 'usr1', createdTime: time(1) }
      await store.write((tx) => tx.inviteCodes.insert({ ...code, usesLeft: 2 }))
      const take = (hash: string) => store.write((tx) => tx.inviteCodes.takeUse(hash))
      const taken = await Promise.all(Array.from({ length: 6 }, () => take('hash1')))
      expect(taken.filter((wasLeft) => wasLeft)).toHaveLength(2)
      expect(await take('hash2')).toBe(false)
    })
  })
}

/** Declares what every AddressCodeRepository promises. */
export function signUpCodeRepositoryContract({ store }: OpenedStorage): void {
  const insert = (tokenHash: string, expires: number, triesLeft = 2) =>
    store.write((tx) =>
      tx.addressCodes.insert({
        ...{ tokenHash, email: 'ada@example.com', codeHash: `code of ${tokenHash}` },
        ...{ triesLeft, expiresTime: time(expires) },
      }),
    )
  const take = (tokenHash: string, email = 'ada@example.com', now = 1) =>
    store.write((tx) => tx.addressCodes.takeTry(tokenHash, email, time(now)))

  describe('every AddressCodeRepository', () => {
    it('[STORE-65] gives as many tries as a code has, to its address alone, until it expires', async () => {
      await insert('one', 5)
      await insert('two', 5)
      expect(await take('one', 'bob@example.com')).toBeUndefined()
      expect(await take('two', 'ada@example.com', 6)).toBeUndefined()
      const tries = await Promise.all(Array.from({ length: 5 }, () => take('one')))
      expect(tries.filter((hash) => hash === 'code of one')).toHaveLength(2)
      expect(tries.filter((hash) => hash === undefined)).toHaveLength(3)
      expect(await take('two')).toBe('code of two')
      expect(await take('none')).toBeUndefined()
    })

    it('[STORE-65] forgets a code for one alone of those who ask for that at once', async () => {
      await insert('once', 5)
      const remove = (hash: string) => store.write((tx) => tx.addressCodes.delete(hash))
      const removed = await Promise.all(Array.from({ length: 3 }, () => remove('once')))
      expect(removed.filter((wasThere) => wasThere)).toHaveLength(1)
      expect(await take('once')).toBeUndefined()
    })

    it('[STORE-67] forgets codes that have expired, so many at a time', async () => {
      for (const [index, hash] of ['a', 'b', 'c'].entries()) await insert(hash, index + 1)
      const sweep = () => store.write((tx) => tx.addressCodes.deleteExpired(time(3), 1))
      expect([await sweep(), await sweep(), await sweep()]).toEqual([1, 1, 0])
      expect(await take('c')).toBe('code of c')
    })
  })
}

/** Declares what every AnswerRepository promises. */
export function answerRepositoryContract({ store }: OpenedStorage): void {
  const answer = (keyHash: string, expires: number, sealedAnswer = 'sealed') => ({
    ...{ keyHash, sealedInput: 'input', sealedAnswer },
    expiresTime: time(expires),
  })
  const find = (keyHash: string) => store.write((tx) => tx.answers.find(keyHash))

  describe('every AnswerRepository', () => {
    it('[STORE-64] keeps the answer to a key, and another in place of it', async () => {
      await store.write((tx) => tx.answers.save(answer('one', 1)))
      expect(await find('one')).toEqual(answer('one', 1))
      expect(await find('two')).toBeUndefined()
      await store.write((tx) => tx.answers.save(answer('one', 5, 'another')))
      expect(await find('one')).toEqual(answer('one', 5, 'another'))
    })

    it('[STORE-67] forgets answers that have expired, so many at a time', async () => {
      for (const [index, key] of ['a', 'b', 'c'].entries()) {
        await store.write((tx) => tx.answers.save(answer(key, index + 1)))
      }
      const most = { count: 1, bytes: 1_000 }
      const sweep = () => store.write((tx) => tx.answers.deleteExpired(time(3), most))
      expect(await sweep()).toBe(true)
      expect([await find('a'), (await find('b'))?.keyHash]).toEqual([undefined, 'b'])
      expect([await sweep(), await sweep()]).toEqual([false, false])
      expect([await find('b'), await find('c')]).toEqual([undefined, answer('c', 3)])
    })

    it('[STORE-86] forgets so many bytes of them at a time, one answer at least', async () => {
      const lengths = [400, 400, 400, 1_500, 10]
      const keys = lengths.map((_, index) => `${index}`)
      for (const [index, length] of lengths.entries()) {
        await store.write((tx) => tx.answers.save(answer(`${index}`, 1, 'x'.repeat(length))))
      }
      const most = { count: 10, bytes: 1_000 }
      const sweep = () => store.write((tx) => tx.answers.deleteExpired(time(3), most))
      const left = async () => {
        const isMore = await sweep()
        const found = []
        for (const key of keys) if (await find(key)) found.push(key)
        return [isMore, found.join('')]
      }
      expect(await left()).toEqual([true, '234'])
      expect(await left()).toEqual([true, '34'])
      expect(await left()).toEqual([true, '4'])
      expect(await left()).toEqual([false, ''])
    })
  })
}
