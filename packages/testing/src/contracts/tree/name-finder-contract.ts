import { type NameSearch, namedTypes } from '@gateleg/domain/tree/name-finder'
import { describe, expect, it } from 'vitest'
import { unusedBaseId } from '../../factories/make-table.ts'
import { newBase } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const time = '2026-01-01T00:00:00.000Z'

/** Declares what every NameFinder promises. */
export function nameFinderContract({ store }: OpenedStorage): void {
  const addFolder = (baseId: string, number: number, name: string) =>
    store.write(async (tx) => {
      const id = `bnf${number}`
      await tx.folders.insert({ id, baseId, name })
      const place = { parentId: null, order: number, version: 1 }
      const node = { id: `bno${number}`, baseId, resourceType: 'folder', resourceId: id } as const
      await tx.nodes.insert({ ...node, ...place })
    })

  describe('every NameFinder', () => {
    it('[STORE-334] finds living things by a part of their names, in the order of these', async () => {
      const base = { ...newBase(unusedBaseId()), name: 'Atlas', icon: '🗺️' }
      const gone = { ...newBase(unusedBaseId()), name: 'Atlas of old' }
      const deletion = { operationId: 'opr1', time, userId: 'usr1' }
      await store.write(async (tx) => {
        for (const one of [base, gone]) await tx.bases.insert(one)
        await tx.bases.insert({ ...newBase(unusedBaseId()), spaceId: 'spc2', name: 'Atlas of two' })
        await tx.bases.markDeleted(gone.id, deletion)
      })
      const folders = ['ATLAS', 'Ätlas', 'Tl%', 'Tl\u{1F5FA}', 'tl\uFFFD', 'Other', 'Atlas gone']
      for (const [index, name] of folders.entries()) await addFolder(base.id, index, name)
      await addFolder(gone.id, 10, 'Atlas there')
      await store.write((tx) => tx.nodes.markDeleted('bno6', deletion))

      const find = async (search: Partial<NameSearch>) => {
        const asked = { spaceId: base.spaceId, types: namedTypes, part: 'tl', take: 9, ...search }
        const { total, found } = await store.read((tx) => tx.nameFinder.find(asked))
        return [total, ...found.map(({ name }) => name)]
      }
      const sorted = ['Atlas', 'Tl%', 'tl\uFFFD', 'Tl\u{1F5FA}', 'Ätlas']
      const both = (await find({})).filter((name) => name !== 'ATLAS')
      expect(both).toEqual([6, ...sorted])
      expect(await find({ types: ['base'] })).toEqual([1, 'Atlas'])
      expect(await find({ types: ['table'] })).toEqual([0])
      expect(await find({ part: 'tl%' })).toEqual([1, 'Tl%'])
      expect(await find({ part: 'ätl' })).toEqual([1, 'Ätlas'])
      expect(await find({ part: 'none' })).toEqual([0])
      expect(await find({ types: ['folder'], take: 2 })).toEqual([5, 'ATLAS', 'Tl%'])
      const after = { folded: 'tl%', id: 'bnf2' }
      expect(await find({ after, take: 2 })).toEqual([6, 'tl\uFFFD', 'Tl\u{1F5FA}'])
      expect(await find({ after: { folded: 'ätlas', id: 'bnf1' } })).toEqual([6])
      const { found } = await store.read((tx) =>
        tx.nameFinder.find({ spaceId: base.spaceId, types: ['base'], part: 'atlas', take: 1 }),
      )
      const shown = { id: base.id, type: 'base', name: 'Atlas', icon: '🗺️' }
      expect(found).toEqual([{ ...shown, baseId: base.id, baseName: 'Atlas' }])
      const count = (spaceId: string) => store.read((tx) => tx.nameFinder.countIn(spaceId))
      expect([await count(base.spaceId), await count('spc2')]).toEqual([8, 0])
    })
  })
}
