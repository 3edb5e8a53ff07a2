import type { FlowNode } from '@gateleg/domain/workflows/nodes/flow-node'
import type { Workflow } from '@gateleg/domain/workflows/workflow'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

const time = '2026-01-01T00:00:00.000Z'
const deletion = { operationId: 'opr1', time, userId: 'usr1' }

const workflow = (number: number, settings: Partial<Workflow> = {}): Workflow => ({
  ...{ id: `wfl${number}`, baseId: 'bse1', name: `Flow ${number}`, description: null },
  ...{ draft: { nodes: [] }, published: null, activeBy: null, createdBy: 'usr1' },
  ...{ createdTime: time, lastModifiedBy: null, lastModifiedTime: null, version: 1 },
  ...settings,
})

/** Declares what every WorkflowRepository promises. */
export function workflowRepositoryContract({ store }: OpenedStorage): void {
  describe('every WorkflowRepository', () => {
    const found = (id: string) => store.read((tx) => tx.workflows.find(id))

    it('[STORE-71] [STORE-347] keeps workflows, counts their versions, and answers none that is deleted', async () => {
      const node: FlowNode = {
        ...{ id: 'wtr1', category: 'trigger', type: 'webhook', name: 'A "b"', description: null },
        ...{ config: { method: 'GET' }, parentNodeId: null },
        ...{ createdTime: time, lastModifiedTime: null },
      }
      const published = {
        ...{ nodes: [node], name: 'Old', description: 'Long' },
        ...{ publishedBy: 'usr2', publishedTime: time },
      }
      const changed = workflow(1, {
        ...{ name: 'New', description: 'What', draft: null, published, activeBy: 'usr2' },
        ...{ lastModifiedBy: 'usr2', lastModifiedTime: time },
      })
      await store.write(async (tx) => {
        await tx.workflows.insert([])
        await tx.workflows.insert([workflow(1), workflow(2), workflow(3, { baseId: 'bse2' })])
        await tx.workflows.update(changed)
      })
      expect(await found('wfl1')).toEqual({ ...changed, version: 2 })
      await store.write((tx) => tx.workflows.markDeleted('wfl2', deletion))
      await store.read(async ({ workflows }) => {
        expect(await workflows.listOf('bse1')).toEqual([{ ...changed, version: 2 }])
        expect(await workflows.listNames('bse1')).toEqual(['New'])
        expect(await workflows.flowsLength('bse1')).toBe(JSON.stringify(published).length)
        expect(await workflows.flowsLength('bse2')).toBe('{"nodes":[]}'.length)
        expect(await workflows.flowsLength('bse3')).toBe(0)
        expect(await workflows.find('wfl2')).toBeUndefined()
        expect(await workflows.findDeleted('wfl2')).toEqual(workflow(2))
        expect(await workflows.findDeleted('wfl1')).toBeUndefined()
        expect(await workflows.findOrTrash('wfl2', 'none')).toEqual({
          ...{ workflow: workflow(2), isDeleted: true },
        })
        expect(await workflows.findOrTrash('wfl3', 'none')).toMatchObject({ isDeleted: false })
        expect(await workflows.findOrTrash('wfl9', 'none')).toBeUndefined()
        const inTrash = [{ thing: workflow(2), operationId: 'opr1' }]
        expect(await workflows.deletedIn('bse1', { after: '', most: 9 })).toEqual(inTrash)
        expect(await workflows.deletedIn('bse2', { after: '', most: 9 })).toEqual([])
      })
    })

    it('[STORE-283] lists the workflows of a base oldest first, and pages of all by their ids', async () => {
      const later = '2026-01-02T00:00:00.000Z'
      await store.write(async ({ workflows }) => {
        await workflows.insert([
          workflow(1, { createdTime: later }),
          workflow(4),
          workflow(2),
          workflow(3),
        ])
        await workflows.update(workflow(2, { name: 'Changed' }))
      })
      const listed = await store.read(({ workflows }) => workflows.listOf('bse1'))
      expect(listed.map(({ id }) => id)).toEqual(['wfl2', 'wfl3', 'wfl4', 'wfl1'])
      await store.write((tx) => tx.workflows.markDeleted('wfl3', deletion))
      const page = { after: 'wfl1', most: 2 }
      const all = await store.read(({ workflows }) => workflows.allIn('bse1', page))
      expect(all.map(({ id }) => id)).toEqual(['wfl2', 'wfl3'])
      expect(await store.read(({ workflows }) => workflows.allIn('bse2', page))).toEqual([])
    })

    it('[STORE-71] brings workflows back, and removes them with what the trash says of them', async () => {
      await store.write(async (tx) => {
        await tx.workflows.insert([workflow(1)])
        await tx.workflows.markDeleted('wfl1', deletion)
        const what = { resourceType: 'workflow', resourceIds: ['wfl1'] } as const
        await tx.trash.add(deletion, { placeId: 'bse1', ...what })
        await tx.workflows.restore('wfl1')
      })
      expect(await found('wfl1')).toEqual(workflow(1))
      await store.write(async (tx) => {
        await tx.workflows.markDeleted('wfl1', deletion)
        await tx.workflows.delete('wfl1')
      })
      await store.read(async (tx) => {
        expect(await tx.workflows.findDeleted('wfl1')).toBeUndefined()
        expect(await tx.trash.find('opr1', 'none')).toBeUndefined()
      })
    })
  })
}
