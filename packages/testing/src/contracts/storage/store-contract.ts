import { backgroundCaller } from '@gateleg/domain/access/caller-of'
import type { User } from '@gateleg/domain/accounts/users/user'
import type { DomainEvent } from '@gateleg/domain/events/event'
import type { ReadTx, Store, WriteTx } from '@gateleg/domain/store'
import { describe, expect, it } from 'vitest'
import { newUser } from '../../factories/stored-rows.ts'
import { withLimits } from '../../with-limits.ts'
import type { OpenedStorage } from '../opened-storage.ts'

/** Declares what every Store promises. */
export function storeContract({
  store,
  other,
  ways,
  events,
  hasOneConnection,
}: OpenedStorage): void {
  const insert = (user: User) => store.write((tx) => tx.users.insert(user))
  const find = (id: string, from = store) => from.read((tx) => tx.users.find(id))

  describe('every Store: snapshots', () => {
    it.skipIf(hasOneConnection)(
      '[STORE-1] shows one state from the first read to the last, whoever writes meanwhile',
      async () => {
        await insert(newUser(1))
        const names = await store.read(async (tx) => {
          const before = await tx.users.find('usr1')
          await store.write((writing) => writing.users.update(newUser(1, { name: 'Changed' })))
          await insert(newUser(2))
          const after = await tx.users.namesOf(['usr1', 'usr2'])
          return [before?.name, ...after.values()]
        })
        expect(names).toEqual(['Ada 1', 'Ada 1'])
        expect((await find('usr1'))?.name).toBe('Changed')
      },
    )

    it.skipIf(hasOneConnection)(
      '[STORE-1] shows nothing of a transaction that has not ended',
      async () => {
        await store.write(async (tx) => {
          await tx.users.insert(newUser(1))
          expect(await other.read((reading) => reading.users.find('usr1'))).toBeUndefined()
        })
        expect(await find('usr1', other)).toEqual(newUser(1))
      },
    )

    it.skipIf(hasOneConnection)('[STORE-1] takes the state at its first read', async () => {
      const found = await store.read(async (tx) => {
        await insert(newUser(1))
        return tx.users.find('usr1')
      })
      expect([undefined, 'usr1']).toContain(found?.id)
    })

    it.skipIf(hasOneConnection)('[STORE-2] writes nothing through a snapshot', async () => {
      const writing = store.read((tx) => (tx as WriteTx).users.insert(newUser(1)))
      await expect(writing).rejects.toThrow()
      expect(await find('usr1')).toBeUndefined()
    })

    it('[STORE-94] begins a snapshot again at most once when its work says that it is long', async () => {
      await insert(newUser(1))
      let begun = 0
      const found = await store.read(async (tx) => {
        begun++
        tx.becomeLong()
        tx.becomeLong()
        return tx.users.find('usr1')
      })
      expect(found?.id).toBe('usr1')
      expect(begun).toBeLessThanOrEqual(2)
      await store.read((tx) => Promise.resolve(tx.becomeLong()), { isLong: true })
    })

    it('[STORE-2] goes on after a snapshot whose work fails', async () => {
      for (let times = 0; times < 20; times++) {
        await expect(store.read(() => Promise.reject(new Error('oops')))).rejects.toThrow('oops')
      }
      expect(await find('usr1')).toBeUndefined()
    })
  })

  describe('every Store: transactions', () => {
    it('[STORE-3] keeps all changes or none, and throws on what the work throws', async () => {
      const oops = new Error('oops')
      const writing = store.write(async (tx) => {
        await tx.users.insert(newUser(1))
        await tx.users.insert(newUser(2))
        throw oops
      })
      await expect(writing).rejects.toBe(oops)
      expect(await store.read((tx) => tx.users.namesOf(['usr1', 'usr2']))).toEqual(new Map())
      expect(await store.read((tx) => tx.users.count())).toBe(0)
      await insert(newUser(1))
      expect(await store.read((tx) => tx.users.count())).toBe(1)
      expect(await find('usr1')).toEqual(newUser(1))
    })

    it('[STORE-359] tells the end of each transaction, whether its changes are kept or not', async () => {
      const ended: string[] = []
      await store.write(async (tx) => {
        tx.onEnd((isKept) => ended.push(`kept: ${isKept}`))
        await tx.users.insert(newUser(1))
        expect(ended).toEqual([])
      })
      const failing = store.write(async (tx) => {
        tx.onEnd((isKept) => ended.push(`kept: ${isKept}`))
        await tx.users.insert(newUser(1))
      })
      await expect(failing).rejects.toMatchObject({ code: 'conflict' })
      expect(ended).toEqual(['kept: true', 'kept: false'])
      let begun = 0
      await store.write(async (tx) => {
        // One that is run again has ended before.
        expect(ended).toHaveLength(2 + begun++)
        tx.onEnd((isKept) => ended.push(`kept: ${isKept}`))
        tx.becomeLong()
        await tx.users.insert(newUser(2))
      })
      expect(ended).toHaveLength(2 + begun)
      expect(ended.at(-1)).toBe('kept: true')
    })

    it('[STORE-3] keeps nothing of work that a storage refuses half way', async () => {
      await insert(newUser(1))
      const writing = store.write(async (tx) => {
        await tx.users.insert(newUser(2))
        await tx.users.insert(newUser(3, { email: newUser(1).email }))
      })
      await expect(writing).rejects.toMatchObject({ code: 'conflict' })
      expect(await find('usr2')).toBeUndefined()
    })

    it('[STORE-4] shows a write to every read that begins after its answer, on every connection', async () => {
      for (let number = 1; number <= 10; number++) {
        await insert(newUser(number))
        const reads = [store, other, store, other].map((from) => find(`usr${number}`, from))
        for (const found of await Promise.all(reads)) expect(found).toEqual(newUser(number))
      }
    })

    it('[STORE-5] shows its own changes to the work', async () => {
      const found = await store.write(async (tx) => {
        await tx.users.insert(newUser(1))
        return tx.users.find('usr1')
      })
      expect(found).toEqual(newUser(1))
    })

    it.skipIf(hasOneConnection)(
      '[STORE-46] gives way in a transaction, of which others see nothing meanwhile',
      async () => {
        const seen: unknown[] = []
        await store.write(async (tx) => {
          await tx.users.insert(newUser(1))
          const end = performance.now() + 50
          while (performance.now() < end) await tx.giveWay()
          for (const from of [store, other]) seen.push(await find('usr1', from))
          await tx.users.insert(newUser(2))
        })
        expect(seen).toEqual([undefined, undefined])
        expect(await find('usr2', other)).toEqual(newUser(2))
      },
    )

    describe.each([
      ['gives way', (tx: WriteTx) => tx.giveWay()],
      ['asks', (tx: WriteTx) => tx.users.find('usr1').then(() => undefined)],
    ])('[STORE-373] the transaction of a caller that %s', (_does, goOn) => {
      const soon = { writeSeconds: 0.02, readSeconds: 0.02 }
      const caller = { caller: 'user:usr1' }
      /** Ends by itself so many milliseconds later, long after the time is over. */
      const goOnFor = (durationMs: number) => async (tx: ReadTx) => {
        const end = performance.now() + durationMs
        while (performance.now() < end) await goOn(tx as WriteTx)
        return 'ended by itself'
      }
      // One statement alone may take much longer than the time where others use the processor.
      const goOnForEver = goOnFor(10_000)
      const goOnForLong = goOnFor(80)
      const givenUp = {
        code: 'validation_error',
        message: expect.stringContaining('given up after 0.02 seconds'),
      }

      it('is given up once its time is over, and changes nothing', async () => {
        await withLimits(soon, async () => {
          const writing = store.write(async (tx) => {
            await tx.users.insert(newUser(1))
            return goOnForEver(tx)
          }, caller)
          await expect(writing).rejects.toMatchObject(givenUp)
          await expect(store.read(goOnForEver, caller)).rejects.toMatchObject(givenUp)
        })
        expect(await find('usr1')).toBeUndefined()
        await store.write((tx) => tx.users.insert(newUser(1)), caller)
        expect(await find('usr1')).toEqual(newUser(1))
      })

      it('has no such end where it is of the program itself or of the background', async () => {
        await withLimits(soon, async () => {
          expect(await store.write(goOnForLong)).toBe('ended by itself')
          const background = { caller: backgroundCaller }
          expect(await store.write(goOnForLong, background)).toBe('ended by itself')
          expect(await store.read(goOnForLong, background)).toBe('ended by itself')
        })
      })
    })

    it('[STORE-6] loses no change of writers that hold what they change', async () => {
      await insert(newUser(1))
      const add = async (into: Store) => {
        await into.write(async (tx) => {
          const user = await tx.users.find('usr1', 'update')
          await tx.users.update(newUser(1, { version: (user?.version ?? 0) + 1 }))
        })
      }
      await Promise.all(Array.from({ length: 24 }, () => add(store)))
      expect((await find('usr1'))?.version).toBe(25)
    })

    it('[STORE-7] lets one of those who claim a name go on at a time', async () => {
      const keyHash = 'k'.repeat(43)
      // Whatever connections there are, all are there before the race begins.
      await Promise.all(Array.from({ length: 8 }, () => find('usr1')))
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          store.write(async (tx) => {
            const kept = await tx.answers.find(keyHash)
            if (kept) return kept.sealedAnswer
            for (const id of ['usr1', 'usr2', 'usr3']) await tx.users.find(id)
            const sealedAnswer = `answer ${index}`
            await tx.answers.save({
              keyHash,
              sealedInput: 'i',
              sealedAnswer,
              expiresTime: '2026-01-02T00:00:00.000Z',
            })
            return sealedAnswer
          }),
        ),
      )
      expect(new Set(answers).size).toBe(1)
    })
  })

  describe('every Store: events', () => {
    const event = (userId: string): DomainEvent => ({
      name: 'user.updated',
      time: '2026-01-01T00:00:00.000Z',
      payload: { userId },
    })

    it('[STORE-8] hands events on after the commit, in the order noted', async () => {
      await store.write(async (tx) => {
        tx.emit(event('usr1'))
        await tx.users.insert(newUser(1))
        tx.emit(event('usr2'))
        expect(events()).toEqual([])
      })
      expect(events()).toEqual([[event('usr1'), event('usr2')]])
      await insert(newUser(2))
      expect(events()).toHaveLength(1)
    })

    it('[STORE-8] hands the events of transactions on in the order of the commits', async () => {
      for (const id of ['usr1', 'usr2', 'usr3']) {
        await store.write(async (tx) => tx.emit(event(id)))
      }
      expect(events().flat()).toEqual([event('usr1'), event('usr2'), event('usr3')])
    })

    it('[STORE-8] hands on no events of work that throws', async () => {
      const writing = store.write(async (tx) => {
        tx.emit(event('usr1'))
        throw new Error('oops')
      })
      await expect(writing).rejects.toThrow('oops')
      expect(events()).toEqual([])
    })
  })

  describe('every Store: opening and closing', () => {
    it('[STORE-9] keeps the first instance key it is given', async () => {
      const [first, second = first] = ways()
      const keys = [await first.instanceKey('one'), await second.instanceKey('two')]
      expect(keys).toEqual(['one', 'one'])
    })

    it('[STORE-346] keeps the first owner of files it is given', async () => {
      const [first, second = first] = ways()
      const owners = [await first.fileOwner?.('aaaa0000'), await second.fileOwner?.('bbbb0000')]
      expect(owners).toEqual(['aaaa0000', 'aaaa0000'])
    })

    it('[STORE-10] finishes what is under way when it closes, then refuses', async () => {
      const [first, second] = ways()
      const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
      const writes = numbers.map((number) => insert(newUser(number)))
      const reads = numbers.map((number) => find(`usr${number}`))
      const closing = [first.close(), first.close()]
      await expect(insert(newUser(99))).rejects.toThrow('closed')
      await expect(find('usr1')).rejects.toThrow('closed')
      await Promise.all([...writes, ...reads, ...closing])
      const ids = numbers.map((number) => `usr${number}`)
      // Without another way to the data nobody can look any more.
      if (second) expect((await other.read((tx) => tx.users.namesOf(ids))).size).toBe(20)
    })
  })

  describe('every Store: what is stored', () => {
    it('[STORE-11] gives back every text as it was written', async () => {
      const texts = [
        "it's",
        '"; drop table users; --',
        '\\',
        '\\x41',
        '{a,"b"}',
        'NULL',
        '\u{1f9e0}',
        'ﬀ\u0301\ud7ff\uffff\t\r\n',
      ]
      for (const [index, name] of texts.entries()) await insert(newUser(index, { name }))
      const ids = texts.map((_, index) => `usr${index}`)
      const names = await other.read((tx) => tx.users.namesOf(ids))
      expect([...names].toSorted()).toEqual(ids.map((id, index) => [id, texts[index]]).toSorted())
    })

    it('[STORE-12] refuses an address and a collaborator that are there already', async () => {
      await insert(newUser(1))
      const taken = { code: 'conflict' }
      await expect(insert(newUser(2, { email: 'ada1@example.com' }))).rejects.toMatchObject(taken)
      const collaborator = {
        resourceType: 'space',
        resourceId: 'spc1',
        userId: 'usr1',
        role: 'owner',
        createdBy: 'usr1',
        createdTime: '2026-01-01T00:00:00.000Z',
      } as const
      const join = () => store.write((tx) => tx.collaborators.insert(collaborator))
      await join()
      await expect(join()).rejects.toMatchObject(taken)
    })

    it('[STORE-13] orders texts by code point', async () => {
      const names = ['B', 'a', 'Z', 'é', 'e', '\uffff', '\u{1f9e0}', 'ß', '_', 'ä', 'A', '10', '9']
      const expected = [
        '10',
        '9',
        'A',
        'B',
        'Z',
        '_',
        'a',
        'e',
        'ß',
        'ä',
        'é',
        '\uffff',
        '\u{1f9e0}',
      ]
      await store.write(async (tx) => {
        for (const [index, name] of names.entries()) {
          await tx.users.insert(newUser(index, { name }))
          await tx.collaborators.insert({
            resourceType: 'base',
            resourceId: 'bse1',
            userId: `usr${index}`,
            role: 'viewer',
            createdBy: 'usr1',
            createdTime: '2026-01-01T00:00:00.000Z',
          })
        }
      })
      const people = await store.read((tx) => tx.users.listWithRoleIn('spc1', 'bse1'))
      expect(people.map(({ name }) => name)).toEqual(expected)
    })

    it('[STORE-14] answers what is not there as undefined, or as nothing in a list', async () => {
      await store.read(async (tx) => {
        expect(await tx.users.find('usr1')).toBeUndefined()
        expect(await tx.users.findByEmail('ada@example.com')).toBeUndefined()
        expect(await tx.users.namesOf(['usr1'])).toEqual(new Map())
        expect(await tx.spaces.listOf('usr1')).toEqual([])
        expect(await tx.bases.listOf('spc1', 'usr1')).toEqual([])
        expect(await tx.views.find('tbl1', 'viw1')).toBeUndefined()
        expect(await tx.tables.listOf('bse1')).toEqual([])
        expect(await tx.nodes.find('bse1', 'bno1')).toBeUndefined()
        expect(await tx.access.findTable('tbl1', 'usr1', 'none')).toBeUndefined()
      })
    })
  })
}
