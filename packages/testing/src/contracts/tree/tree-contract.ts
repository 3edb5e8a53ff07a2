import type { Store } from '@gateleg/domain/store'
import type { TreeNode } from '@gateleg/domain/tree/tree-node'
import type { View } from '@gateleg/domain/views/view'
import { describe, expect, it } from 'vitest'
import { makeTable } from '../../factories/make-table.ts'
import { newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const time = '2026-01-01T00:00:00.000Z'
const deletion = { operationId: 'opr1', time, userId: 'usr1' }

function newNode(number: number, settings: Partial<TreeNode> = {}): TreeNode {
  return {
    ...{ id: `bno${number}`, baseId: 'bse1', parentId: null, resourceType: 'folder' },
    ...{ resourceId: `bfd${number}`, order: number, version: 1, ...settings },
  }
}

/** Adds nodes, each with its folder. */
const addFolders = (store: Store, ...nodes: TreeNode[]) =>
  store.write(async (tx) => {
    for (const node of nodes) {
      const { resourceId: id, baseId } = node
      await tx.folders.insert({ id, baseId, name: `Folder ${id}` })
      await tx.nodes.insert(node)
    }
  })

/** Declares what every NodeRepository promises. */
export function nodeRepositoryContract({ store }: OpenedStorage): void {
  const described = (node: TreeNode) => ({
    ...{ ...node, name: `Folder ${node.resourceId}` },
    ...{ icon: null, defaultViewId: null, isActive: null },
  })

  describe('every NodeRepository', () => {
    it('[STORE-71] lists the nodes of a base in their order, with what their resources show', async () => {
      const nodes = [newNode(3, { order: 1 }), newNode(2, { order: 1 }), newNode(1)] as const
      const [third, second, first] = nodes
      const child = newNode(4, { parentId: first.id, order: 0.5 })
      await addFolders(store, ...nodes, child, newNode(5, { baseId: 'bse2' }))
      await store.read(async (tx) => {
        expect(await tx.nodes.list('bse1')).toEqual([child, first, second, third].map(described))
        const places = await tx.nodes.listPlaces('bse1')
        expect(places.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
          ...[first, second, third, child],
        ])
        expect(await tx.nodes.listChildren(first.id)).toEqual([child])
        expect(await tx.nodes.find('bse1', second.id)).toEqual(described(second))
        expect(await tx.nodes.find('bse2', second.id)).toBeUndefined()
        expect(await tx.nodes.findOf(child.resourceId)).toEqual(described(child))
      })
    })

    it('[STORE-347] lists the nodes of what lies in the trash of a base', async () => {
      const others = [newNode(2), newNode(4, { baseId: 'bse2' })]
      await addFolders(store, newNode(3), newNode(1), ...others)
      await store.write(async (tx) => {
        for (const id of ['bno4', 'bno3']) await tx.nodes.markDeleted(id, deletion)
        const ordersIn = (baseId: string) => tx.nodes.ordersInTrash(baseId, 1)
        expect(await Promise.all(['bse1', 'bse2', 'bse3'].map(ordersIn))).toEqual([[3], [4], []])
        await tx.nodes.markDeleted('bno1', { ...deletion, operationId: 'opr2' })
        expect(await ordersIn('bse1')).toEqual([3])
        expect(await tx.nodes.ordersInTrash('bse1', 9)).toEqual([3, 1])
      })
      const listed = (most: number, after = '') =>
        store.read((tx) => tx.nodes.deletedIn('bse1', { after, most }))
      const first = { thing: newNode(1), operationId: 'opr2' }
      const second = { thing: newNode(3), operationId: 'opr1' }
      expect(await listed(9)).toEqual([first, second])
      expect(await listed(9, 'bno1')).toEqual([second])
      expect(await listed(1)).toEqual([first])
    })

    it('[STORE-71] moves nodes and counts their versions; deleted ones are absent', async () => {
      await addFolders(store, newNode(1), newNode(2), newNode(3))
      await store.write(async (tx) => {
        await tx.nodes.place([])
        await tx.nodes.place([
          { id: 'bno1', parentId: 'bno2', order: 0.25 },
          { id: 'bno3', parentId: null, order: -1 },
        ])
        await tx.nodes.bump('bno2')
      })
      const moved = [
        newNode(3, { order: -1, version: 2 }),
        newNode(1, { parentId: 'bno2', order: 0.25, version: 2 }),
        newNode(2, { version: 2 }),
      ]
      const list = () => store.read((tx) => tx.nodes.list('bse1'))
      expect(await list()).toEqual(moved.map(described))
      await store.write(async (tx) => {
        await tx.nodes.markDeleted('bno3', deletion)
        await tx.nodes.delete('bno1')
      })
      expect((await list()).map(({ id }) => id)).toEqual(['bno2'])
      expect(await store.read((tx) => tx.nodes.findOf('bfd3'))).toBeUndefined()
    })
  })
}

/** Declares what every FolderRepository promises. */
export function folderRepositoryContract({ store }: OpenedStorage): void {
  describe('every FolderRepository', () => {
    it('[STORE-71] names the folders of a base, and refuses a name that is there already', async () => {
      const insert = (id: string, name: string, baseId = 'bse1') =>
        store.write((tx) => tx.folders.insert({ id, baseId, name }))
      await insert('bfd1', 'One')
      await insert('bfd2', 'Two')
      await insert('bfd3', 'One', 'bse2')
      await expect(insert('bfd4', 'One')).rejects.toThrow()
      const names = async () =>
        (await store.read((tx) => tx.folders.listNames('bse1'))).toSorted((a, b) =>
          a < b ? -1 : 1,
        )
      expect(await names()).toEqual(['One', 'Two'])
      await store.write((tx) => tx.folders.rename('bfd1', 'Three'))
      await store.write((tx) => tx.folders.delete('bfd2'))
      expect(await names()).toEqual(['Three'])
    })
  })
}

/** Declares what every ViewRepository promises. */
export function viewRepositoryContract({ store }: OpenedStorage): void {
  const view = (number: number, settings: Partial<View> = {}): View => ({
    ...{ id: `viw${number}`, tableId: 'tbl1', name: `View ${number}`, type: 'grid' },
    ...{ description: null, order: number, options: {}, columnMeta: {}, filter: null },
    ...{
      sort: null,
      group: null,
      rowOrder: null,
      isLocked: false,
      createdBy: 'usr1',
      createdTime: time,
    },
    ...{ lastModifiedBy: null, lastModifiedTime: null, version: 1, ...settings },
  })

  describe('every ViewRepository', () => {
    it('[STORE-72] gives the views of a table back in their order, as they were written', async () => {
      const form = view(5, { type: 'form', description: 'For "all"', order: 0.5 })
      const views = [view(3, { order: 2 }), view(2), form, view(4, { tableId: 'tbl2' })] as const
      await store.write((tx) => tx.views.insert(views))
      await store.write((tx) => tx.views.insert([]))
      const [third, second] = views
      expect(await store.read((tx) => tx.views.listOf('tbl1'))).toEqual([form, second, third])
      const find = (tableId: string) => store.read((tx) => tx.views.find(tableId, 'viw2'))
      expect(await find('tbl1')).toEqual(second)
      expect(await find('tbl2')).toBeUndefined()
    })

    it('[STORE-95] [STORE-347] keeps what is changed of a view, and how long it is, until it is deleted', async () => {
      await store.write((tx) => tx.views.insert([view(2), view(3)]))
      const item = { fieldId: 'fldA', operator: 'is', value: 'a "b"' } as const
      const group = [{ fieldId: 'fldB', order: 'desc' }] as const
      const settings = {
        options: { rowHeight: 'tall' },
        filter: { conjunction: 'or', filterSet: [item] },
        sort: { sortObjs: group, manualSort: true },
        group,
        columnMeta: { fldA: { order: 1.5, hidden: true }, fldB: { order: -2 } },
      } as const
      const changed = view(2, {
        ...{ name: 'Changed', description: 'Long', order: 7, isLocked: true },
        ...{ ...settings, lastModifiedBy: 'usr2', lastModifiedTime: time, version: 9 },
      })
      await store.write((tx) => tx.views.update(changed))
      const find = (id: string) => store.read((tx) => tx.views.find('tbl1', id, 'none'))
      expect(await find('viw2')).toEqual({ ...changed, version: 2 })
      expect(await find('viw3')).toEqual(view(3))
      const length = () => store.read((tx) => tx.views.settingsLength('tbl1'))
      const kept = Object.values(settings).map((one) => JSON.stringify(one).length)
      const ofThird = '{}'.length * 2
      expect(await length()).toBe(kept.reduce((sum, one) => sum + one, ofThird))
      await store.write((tx) => tx.views.markDeleted('viw2', deletion))
      expect(await find('viw2')).toBeUndefined()
      const inTrash = await store.read((tx) => tx.views.deletedIn('tbl1', { after: '', most: 9 }))
      expect(inTrash).toEqual([{ thing: { ...changed, version: 2 }, operationId: 'opr1' }])
      expect(await store.read((tx) => tx.views.listOf('tbl1'))).toEqual([view(3)])
      expect(await length()).toBe(ofThird)
      expect(await store.read((tx) => tx.views.settingsLength('tbl2'))).toBe(0)
    })
  })
}

/** Declares what every CanonicalReader and every PurgeRepository promises of a base as it is stored. */
export function wholeBaseContract({ store }: OpenedStorage): void {
  describe('every CanonicalReader', () => {
    it('[STORE-73] reads a base whole, what is deleted included, each kind by id', async () => {
      const schema = await makeTable(store, ['singleLineText', 'number'])
      const table = newTable(schema.baseId)
      await store.write(async (tx) => {
        for (const number of [2, 1]) {
          await tx.nodes.insert(newNode(number, { baseId: schema.baseId }))
        }
        await tx.nodes.markDeleted('bno1', deletion)
        await tx.tables.markDeleted(table.id, deletion)
      })
      const structure = await store.read((tx) => tx.canonical.structure(schema.baseId))
      const idsOf = (kind: keyof typeof structure) => structure[kind].map(({ id }) => id)
      expect(idsOf('bases')).toEqual([schema.baseId])
      expect(idsOf('nodes')).toEqual(['bno1', 'bno2'])
      expect(structure.tables).toMatchObject([{ id: table.id, deletedBy: 'usr1' }])
      expect(structure.fields).toHaveLength(2)
      expect(idsOf('views')).toEqual([])
    })
  })

  describe('every PurgeRepository', () => {
    it('[STORE-73] takes away what is left of a base and its space, and nothing of another', async () => {
      const gone = await makeTable(store, ['singleLineText'])
      const kept = await makeTable(store, ['singleLineText'])
      const [goneTable, keptTable] = [newTable(gone.baseId), newTable(kept.baseId)]
      await store.write(async (tx) => {
        await tx.nodes.insert(newNode(1, { baseId: gone.baseId }))
        await tx.nodes.insert(newNode(2, { baseId: kept.baseId }))
        await tx.tables.markDeleted(goneTable.id, deletion)
      })
      await store.write(async (tx) => {
        await tx.purge.removeBase(gone.baseId)
        expect(await tx.purge.nextTable(gone.baseId)).toEqual(goneTable)
        const most = { records: 10, bytes: 1_000_000 }
        expect(await tx.purge.emptySome(goneTable, most)).toBe(false)
        await tx.tables.deletePermanently(goneTable)
        expect(await tx.purge.nextTable(gone.baseId)).toBeUndefined()
        await tx.purge.finishBase(gone.baseId)
      })
      const structureOf = (id: string) => store.read((tx) => tx.canonical.structure(id))
      expect(Object.values(await structureOf(gone.baseId)).flat()).toEqual([])
      expect((await structureOf(kept.baseId)).nodes).toHaveLength(1)
      await store.write(async (tx) => {
        await tx.purge.removeSpace('spc1')
        expect(await tx.purge.nextBaseId('spc1')).toBe(kept.baseId)
        expect(await tx.purge.nextTable(kept.baseId)).toEqual(keptTable)
      })
    })
  })
}
