import {
  type LinkEnd,
  otherEnd,
  type Relationship,
  relationships,
} from '@gateleg/domain/fields/link-end'
import { describe, expect, it } from 'vitest'
import { unusedBaseId } from '../../factories/make-table.ts'
import { newBase } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

type Links = Readonly<Record<string, readonly string[]>>

/** Declares what every LinkRepository promises. */
export function linkRepositoryContract({ store }: OpenedStorage): void {
  let links = 0
  /** The owner's end of a new link, in a base of its own unless one is named. */
  async function linkOf(relationship: Relationship, baseId = unusedBaseId()): Promise<LinkEnd> {
    const end = { baseId, ownerFieldId: `fldLink${links++}`, isOwner: true, relationship }
    await store.write(async (tx) => {
      await tx.bases.insert(newBase(baseId))
      await tx.links.create(end)
    })
    return end
  }

  const replace = (end: LinkEnd, wanted: Links) =>
    store.write((tx) => tx.links.replace(end, new Map(Object.entries(wanted))))
  /** The links of records at an end; those without any are not in it. */
  async function linksOf(end: LinkEnd, ...ids: string[]): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {}
    for (const { recordId, foreignId } of await store.read((tx) => tx.links.of(end, ids))) {
      found[recordId] = [...(found[recordId] ?? []), foreignId]
    }
    return found
  }
  const refused = { code: 'validation_error' }

  describe.each([true, false])('every LinkRepository, at the owner’s end: %s', (isOwner) => {
    /** This end of a new link. */
    const endOf = async (relationship: Relationship, baseId?: string): Promise<LinkEnd> => {
      if (isOwner) return linkOf(relationship, baseId)
      const here = { baseId: '', ownerFieldId: '', isOwner, relationship }
      return otherEnd(await linkOf(otherEnd(here).relationship, baseId))
    }

    it('[STORE-203] pairs come back with the operation that took them, unless the other record is deleted too', async () => {
      const end = await endOf('manyMany')
      await replace(end, { a: ['x', 'y'], b: ['x'] })
      await store.write(async ({ links }) => {
        await links.markDeleted(end, ['a'], 'opr1')
        await links.markDeleted(otherEnd(end), ['x'], 'opr2')
        expect((await links.lostBy(end, ['a', 'b'], 'opr1')).toSorted()).toEqual(['x', 'y'])
        expect(await links.lostBy(end, ['a', 'b'], 'opr2')).toEqual(['x'])
        await links.handOver(end, ['a'], 'opr1', new Map([['x', 'opr2']]))
        await links.restore(end, ['a'], 'opr1')
      })
      expect(await linksOf(end, 'a', 'b')).toEqual({ a: ['y'] })
      await store.write(({ links }) => links.restore(otherEnd(end), ['x'], 'opr2'))
      expect(await linksOf(end, 'a', 'b')).toEqual({ a: ['x', 'y'], b: ['x'] })
      await store.write(async ({ links }) => {
        await links.markDeleted(end, ['a'], 'opr3')
        await links.purge(end, ['a'])
        await links.restore(end, ['a'], 'opr3')
      })
      expect(await linksOf(end, 'a', 'b')).toEqual({ b: ['x'] })
    })

    it('[STORE-203] pairs that are added as taken away come back in their places', async () => {
      const end = await endOf('oneMany')
      const lost = new Map([['a', new Map([['x', 'opr1']])]])
      await store.write(async ({ links }) => {
        await links.replace(end, new Map([['b', ['x']]]))
        await links.replace(end, new Map([['a', ['z', 'x', 'y']]]), { lost })
        expect(await links.count(end, ['a'])).toEqual(new Map([['a', 2]]))
        expect(await links.count(end, ['a'], 'all')).toEqual(new Map([['a', 3]]))
        // They are moved without being in anybody's way.
        await links.replace(end, new Map([['a', ['x', 'z', 'y']]]), { lost: new Map() })
      })
      expect(await linksOf(end, 'a', 'b')).toEqual({ a: ['z', 'y'], b: ['x'] })
      const restore = () => store.write(({ links }) => links.restore(end, ['a'], 'opr1'))
      await expect(restore()).rejects.toMatchObject(refused)
      await replace(end, { b: [] })
      await restore()
      expect(await linksOf(end, 'a', 'b')).toEqual({ a: ['x', 'z', 'y'] })
    })

    it('[LINK-100] a record that takes one link and lost several by one operation is told, with two of these', async () => {
      for (const relationship of relationships) {
        const end = await endOf(relationship)
        const clash = (...recordIds: string[]) =>
          store.write((tx) => tx.links.clashOf(end, recordIds, 'opr1'))
        const lost = new Map([
          ['a', new Map(['x', 'y', 'z'].map((id) => [id, 'opr1']))],
          ['b', new Map([['x', 'opr1']])],
          ['c', new Map([['x', 'opr2']])],
        ])
        const links = new Map([...lost].map(([id, others]) => [id, [...others.keys()]]))
        await store.write((tx) => tx.links.replace(end, links, { lost }))
        const [ofOne, ofOther] = [relationship.endsWith('One'), relationship.startsWith('one')]
        expect(await clash('a')).toEqual(
          ofOne ? { recordId: 'a', linkedIds: ['x', 'z'] } : undefined,
        )
        expect(await clash('b', 'c')).toBeUndefined()
        if (ofOne) continue
        expect(await clash('a', 'b')).toEqual(
          ofOther ? { recordId: 'x', linkedIds: ['a', 'b'] } : undefined,
        )
      }
    })

    describe('refuses', () => {
      it.each(['oneOne', 'oneMany'] as const)(
        '[STORE-36] a second record of a foreign one in %s',
        async (relationship) => {
          const end = await endOf(relationship)
          await replace(end, { a: ['x'] })
          await expect(replace(end, { b: ['x'] })).rejects.toMatchObject(refused)
          expect(await linksOf(end, 'a', 'b')).toEqual({ a: ['x'] })
        },
      )

      it.each(['oneOne', 'manyOne'] as const)(
        '[STORE-36] a second link of a record in %s',
        async (relationship) => {
          const end = await endOf(relationship)
          await expect(replace(end, { a: ['x', 'y'] })).rejects.toMatchObject(refused)
          expect(await linksOf(end, 'a')).toEqual({})
        },
      )

      it('[STORE-36] to copy pairs where an end takes fewer', async () => {
        const from = await endOf('manyMany')
        await replace(from, { a: ['x', 'y'] })
        const to = {
          ...from,
          ownerFieldId: `${from.ownerFieldId}to`,
          relationship: 'manyOne',
        } as const
        await store.write((tx) => tx.links.create(to))
        await expect(store.write((tx) => tx.links.copy(from, to))).rejects.toMatchObject(refused)
      })
    })

    it.each(relationships)('[STORE-36] moves links between records in %s', async (relationship) => {
      const end = await endOf(relationship)
      await replace(end, { a: ['x'], b: ['y'] })
      await replace(end, { a: ['y'], b: ['x'] })
      expect(await linksOf(end, 'a', 'b')).toEqual({ a: ['y'], b: ['x'] })
      expect(await linksOf(otherEnd(end), 'x', 'y')).toEqual({ x: ['b'], y: ['a'] })
      await replace(end, { a: [], b: ['x'] })
      expect(await linksOf(end, 'a', 'b')).toEqual({ b: ['x'] })
    })

    it('[STORE-33] answers the pairs of each record together, in its order', async () => {
      const end = await endOf('manyMany')
      await replace(end, { b: ['z', 'x', 'y'], a: ['y', 'z'], c: ['x'] })
      const pairs = await store.read((tx) => tx.links.of(end, ['c', 'b', 'a', 'none']))
      expect(pairs.map(({ recordId, foreignId }) => recordId + foreignId)).toEqual([
        'ay',
        'az',
        'bz',
        'bx',
        'by',
        'cx',
      ])
      expect(await store.read((tx) => tx.links.of(end, []))).toEqual([])
    })

    it('[STORE-33] finds the records that are linked to others, as many as are asked for', async () => {
      const end = await endOf('manyMany')
      await replace(end, { a: ['x', 'y'], b: ['x'], c: ['z'] })
      const find = async (most: number, ...ids: string[]) => {
        const holders = await store.read((tx) => tx.links.recordsLinkedTo(end, ids, most))
        return holders.toSorted()
      }
      expect(await find(10, 'x', 'y', 'none')).toEqual(['a', 'b'])
      expect(await find(2, 'x', 'y', 'z')).toHaveLength(2)
      // Each counts once, however many pairs it has.
      expect(await find(2, 'x', 'y')).toEqual(['a', 'b'])
      expect(await find(10)).toEqual([])
    })

    it('[STORE-34] gives records exactly the links listed, in that order, and leaves others alone', async () => {
      const end = await endOf('manyMany')
      await replace(end, { a: ['x', 'y', 'z'], b: ['x'] })
      await replace(end, { a: ['z', 'w', 'x'] })
      expect(await linksOf(end, 'a', 'b')).toEqual({ a: ['z', 'w', 'x'], b: ['x'] })
      await replace(end, { a: [], c: ['x'] })
      expect(await linksOf(end, 'a', 'b', 'c')).toEqual({ b: ['x'], c: ['x'] })
    })

    it('[STORE-34] puts new links last on the other end, and keeps the places of those that stay', async () => {
      const end = await endOf('manyMany')
      await replace(end, { c: ['x'], a: ['x'], b: ['x', 'y'] })
      expect(await linksOf(otherEnd(end), 'x')).toEqual({ x: ['c', 'a', 'b'] })
      await replace(end, { d: ['y', 'x'], b: ['x'], c: ['y', 'x'], a: ['y'] })
      expect(await linksOf(otherEnd(end), 'x', 'y')).toEqual({
        x: ['c', 'b', 'd'],
        y: ['d', 'c', 'a'],
      })
      await replace(otherEnd(end), { x: ['d', 'b', 'c'] })
      expect(await linksOf(otherEnd(end), 'x')).toEqual({ x: ['d', 'b', 'c'] })
      expect(await linksOf(end, 'c', 'd')).toEqual({ c: ['y', 'x'], d: ['y', 'x'] })
    })

    it.each([1, 4, 33, 6_000])(
      '[STORE-34] replaces %i links of a record, and of as many records',
      async (count) => {
        const end = await endOf('manyMany')
        const ids = Array.from({ length: count }, (_, index) => `rec${index}`)
        for (const foreignIds of [ids, ids.toReversed(), ids.slice(1)]) {
          await replace(end, { a: foreignIds })
          expect((await linksOf(end, 'a')).a ?? []).toEqual(foreignIds)
        }
        for (const foreignId of ['x', 'y']) {
          await replace(end, Object.fromEntries(ids.map((id) => [id, [foreignId]])))
          expect(await linksOf(otherEnd(end), 'x', 'y')).toEqual({ [foreignId]: ids })
        }
      },
    )

    it('[STORE-35] takes the pairs of deleted records away, from both ends', async () => {
      const end = await endOf('manyMany')
      await replace(end, { a: ['x', 'y'], b: ['x'], c: ['y'] })
      await store.write(async (tx) => {
        await tx.links.markDeleted(end, ['a', 'none'], 'opr1')
        await tx.links.markDeleted(otherEnd(end), ['y'], 'opr2')
      })
      expect(await linksOf(end, 'a', 'b', 'c')).toEqual({ b: ['x'] })
      expect(await linksOf(otherEnd(end), 'x', 'y')).toEqual({ x: ['b'] })
      const holders = await store.read((tx) => tx.links.recordsLinkedTo(end, ['x', 'y'], 9))
      expect(holders).toEqual(['b'])
    })

    it('[STORE-36] lets the place of a deleted pair be taken', async () => {
      const end = await endOf('oneOne')
      await replace(end, { a: ['x'], b: ['y'] })
      await store.write((tx) => tx.links.markDeleted(end, ['a'], 'opr1'))
      await store.write((tx) => tx.links.markDeleted(otherEnd(end), ['y'], 'opr2'))
      await replace(end, { b: ['x'] })
      expect(await linksOf(end, 'a', 'b')).toEqual({ b: ['x'] })
    })

    it('[STORE-37] copies all pairs with their places, into another base too', async () => {
      const from = await endOf('manyMany')
      await replace(from, { b: ['y', 'x'], a: ['x'], c: ['x'] })
      await store.write((tx) => tx.links.markDeleted(from, ['c'], 'opr1'))
      for (const to of [
        await endOf('manyMany'),
        otherEnd({ ...from, ownerFieldId: `${from.ownerFieldId}to` }),
      ]) {
        await store.write(async (tx) => {
          if (to.baseId === from.baseId) await tx.links.create(to)
          await tx.links.copy(from, to)
        })
        expect(await linksOf(to, 'a', 'b', 'c')).toEqual({ b: ['y', 'x'], a: ['x'] })
        expect(await linksOf(otherEnd(to), 'x', 'y')).toEqual({ x: ['b', 'a'], y: ['b'] })
        expect(await linksOf(from, 'a', 'b', 'c')).toEqual({ b: ['y', 'x'], a: ['x'] })
      }
    })

    it('[LINK-71] copies the pairs that were taken away alone, with what took them', async () => {
      const from = await endOf('manyMany')
      const countLost = (end: LinkEnd) => store.read((tx) => tx.links.countLost(end))
      await replace(from, { a: ['x', 'y'], b: ['x'] })
      expect(await countLost(from)).toBe(0)
      await store.write((tx) => tx.links.markDeleted(from, ['a'], 'opr1'))
      expect(await countLost(otherEnd(from))).toBe(2)
      const to = otherEnd(await endOf('manyMany'))
      await store.write((tx) => tx.links.copyLost(from, to))
      expect(await linksOf(to, 'a', 'b')).toEqual({})
      await store.write((tx) => tx.links.restore(to, ['a'], 'opr1'))
      expect(await linksOf(to, 'a', 'b')).toEqual({ a: ['x', 'y'] })
      expect(await linksOf(otherEnd(to), 'x', 'y')).toEqual({ x: ['a'], y: ['a'] })
    })

    it('[STORE-87] tells how many pairs there are, those of deleted records too', async () => {
      const end = await endOf('manyMany')
      const total = () => store.read((tx) => tx.links.total(otherEnd(end)))
      expect(await total()).toBe(0)
      await replace(end, { a: ['x', 'y'], b: ['x'] })
      await store.write((tx) => tx.links.markDeleted(end, ['a'], 'opr1'))
      expect(await total()).toBe(3)
    })

    it('[STORE-34] goes on from the places that it is told, as from those that it finds', async () => {
      const end = await endOf('manyMany')
      const last = new Map<string, number>()
      const parts: Links[] = [{ c: ['x', 'y'], a: ['x'] }, { d: ['y', 'x'] }, { b: ['z', 'x'] }]
      await store.write(async (tx) => {
        for (const part of parts)
          await tx.links.replace(end, new Map(Object.entries(part)), { last })
      })
      expect([...last]).toEqual([
        ['x', 4],
        ['y', 2],
        ['z', 1],
      ])
      await replace(end, { e: ['x'] })
      const found = await linksOf(otherEnd(end), 'x', 'y', 'z')
      expect(found).toEqual({ x: ['c', 'a', 'd', 'b', 'e'], y: ['c', 'd'], z: ['b'] })
    })

    it('[STORE-34] puts new links at the other end where they are told to stand', async () => {
      const end = await endOf('manyMany')
      await replace(end, { a: ['x', 'y'], b: ['x'], c: ['y', 'x'] })
      const places = await store.read((tx) => tx.links.placed(end, ['b', 'a']))
      expect(places).toEqual([
        { recordId: 'a', foreignId: 'x', place: 1 },
        { recordId: 'a', foreignId: 'y', place: 1 },
        { recordId: 'b', foreignId: 'x', place: 2 },
      ])
      await replace(end, { a: [], b: [] })
      const again = new Map(Object.entries({ a: ['y', 'x'], b: ['x'], d: ['x'] }))
      await store.write((tx) => tx.links.replace(end, again, { places }))
      const found = await linksOf(otherEnd(end), 'x', 'y')
      expect(found).toEqual({ x: ['a', 'b', 'c', 'd'], y: ['a', 'c'] })
      expect(await linksOf(end, 'a')).toEqual({ a: ['y', 'x'] })
    })

    it('[STORE-34] tells the places of pairs of deleted records, too, where these are asked for', async () => {
      const end = await endOf('manyMany')
      await replace(end, { a: ['x', 'y'], b: ['x'] })
      await store.write((tx) => tx.links.markDeleted(otherEnd(end), ['x'], 'op'))
      const placed = (which?: 'all') =>
        store.read(async (tx) => {
          const pairs = await tx.links.placed(end, ['a', 'b'], which)
          return pairs.map(({ recordId, foreignId, place }) => [recordId, foreignId, place])
        })
      expect(await placed()).toEqual([['a', 'y', 1]])
      expect(await placed('all')).toEqual([
        ['a', 'x', 1],
        ['a', 'y', 1],
        ['b', 'x', 2],
      ])
    })

    it('[STORE-37] makes a place that is empty, and removes it with its pairs', async () => {
      const end = await endOf('manyMany')
      await replace(end, { a: ['x'] })
      await store.write(async (tx) => {
        await tx.links.drop(end)
        await tx.links.create(otherEnd(end))
      })
      expect(await linksOf(end, 'a')).toEqual({})
    })
  })
}
