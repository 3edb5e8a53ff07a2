import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openBaseWorld } from '@gateleg/testing/worlds/base-world'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** What a workflow is expected to be. */
interface Expected {
  readonly id: string
  readonly name: string
  readonly draft: string
  /** What was activated last. */
  readonly published: { readonly name: string; readonly draft: string } | undefined
  readonly isActive: boolean
}

const triggers = ['webhook', 'scheduledTime', 'recordCreated'] as const

/** A step by either of the two families of routes; the number says which workflow it is about. */
const step = fc.record({
  kind: fc.constantFrom(
    ...(['create', 'create', 'rename', 'trigger', 'activate', 'activate', 'deactivate'] as const),
    ...(['discard', 'copy', 'delete', 'restore', 'move', 'act', 'act', 'decide', 'drop'] as const),
  ),
  which: fc.nat(20),
  other: fc.nat(20),
  byTree: fc.boolean(),
  name: fc.constantFrom('A', 'B', 'A 2'),
  trigger: fc.constantFrom(...triggers),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

function refusedAsInvalid(error: unknown): void {
  expect(error).toMatchObject({ code: 'validation_error' })
}

describeOnEveryStorage('any steps on workflows', (storage) => {
  test('[FLOW-2] [FLOW-8] [FLOW-11] the tree and the workflows always agree, and snapshots never change with drafts', async () => {
    const world = await openBaseWorld(storage)
    const { workflows, tree, trash } = world.api

    async function run(steps: readonly Step[]): Promise<void> {
      const { id: baseId } = await world.api.bases.createBase({ spaceId: world.ada.spaceId })
      let there: Expected[] = []
      const gone: Expected[] = []

      const change = (id: string, changed: Partial<Expected>) => {
        there = there.map((one) => (one.id === id ? { ...one, ...changed } : one))
      }

      const typesOf = async (named: { readonly baseId: string; readonly workflowId: string }) =>
        (await workflows.getWorkflow(named)).nodes.map(({ type }) => type).join()

      async function take(
        { kind, byTree, name, trigger, other }: Step,
        one: Expected | undefined,
      ): Promise<void> {
        if (kind === 'create') {
          const { id } = byTree
            ? { id: (await tree.createNode({ baseId, resourceType: 'workflow', name })).resourceId }
            : await workflows.createWorkflow({ baseId, name, trigger: { type: trigger } })
          const draft = byTree ? '' : trigger
          there.push({ id, name, draft, published: undefined, isActive: false })
          return
        }
        if (kind === 'restore') {
          const back = gone[other % gone.length]
          if (!back) return
          const ofBase = { resourceId: baseId, resourceType: 'base' } as const
          const { trashItems } = await trash.listTrashItems(ofBase)
          const entry = trashItems.find(
            (item) => 'resourceId' in item && item.resourceId === back.id,
          )
          if (!entry) return
          await trash.restoreTrash({ trashId: entry.id })
          gone.splice(gone.indexOf(back), 1)
          there.push(back)
          return
        }
        if (!one) return
        const { id: workflowId } = one
        const named = { baseId, workflowId }
        const node = { baseId, nodeId: workflowId }
        if (kind === 'rename') {
          if (byTree) await tree.updateNode({ ...node, name })
          else await workflows.updateWorkflow({ ...named, name })
          change(workflowId, { name })
        } else if (kind === 'trigger') {
          await workflows.updateWorkflow({ ...named, trigger: { type: trigger } })
          const rest = one.draft.split(',').slice(1)
          change(workflowId, { draft: [trigger, ...rest].join() })
        } else if (kind === 'act' || kind === 'decide' || kind === 'drop') {
          const { nodes } = await workflows.getWorkflow(named)
          const places = nodes.filter(({ type }) => type !== 'condition')
          const target = places[other % places.length]
          if (!target) return
          const behind = { ...named, parentNodeId: target.id }
          if (kind === 'act') {
            await workflows.addAction({ ...behind, type: 'script', config: { code: 'go()' } })
          } else if (kind === 'decide') {
            // Where it would lie too deep, nothing is added.
            await workflows.addLogic({ ...behind, type: 'condition' }).catch(refusedAsInvalid)
          } else if (target.category === 'action') {
            await workflows.deleteAction({ ...named, actionId: target.id })
          }
          change(workflowId, { draft: await typesOf(named) })
        } else if (kind === 'activate') {
          const isWhole = one.draft.startsWith('webhook')
          const call = workflows.setWorkflowActive({ ...named, method: 'activate' })
          if (!isWhole) return expect(call).rejects.toMatchObject({ code: 'validation_error' })
          await call
          const published = { name: one.name, draft: one.draft }
          change(workflowId, { published, isActive: true })
        } else if (kind === 'deactivate') {
          await workflows.setWorkflowActive({ ...named, method: 'deactivate' })
          change(workflowId, { isActive: false })
        } else if (kind === 'discard') {
          const call = workflows.setWorkflowActive({ ...named, method: 'discard' })
          if (!one.published) {
            return expect(call).rejects.toMatchObject({ code: 'validation_error' })
          }
          await call
          change(workflowId, { draft: one.published.draft })
        } else if (kind === 'copy') {
          const copy = byTree
            ? await tree.duplicateNode(node)
            : await workflows.duplicateWorkflow(named)
          const id = 'resourceId' in copy ? copy.resourceId : copy.id
          const called = 'resourceId' in copy ? copy.resourceMeta.name : copy.name
          const { draft } = one
          there.push({ id, name: called, draft, published: undefined, isActive: false })
        } else if (kind === 'delete') {
          if (byTree) await tree.deleteNode(node)
          else await workflows.deleteWorkflow(named)
          there = there.filter(({ id }) => id !== workflowId)
          gone.push(one)
        } else {
          const anchorId = there[other % there.length]?.id ?? ''
          if (anchorId === workflowId) return
          if (byTree) await tree.moveNode({ ...node, anchorId, position: 'before' })
          else await workflows.moveWorkflow({ ...named, anchorId, position: 'before' })
        }
      }

      for (const one of steps) {
        await take(one, there[one.which % there.length])
      }
      const nodes = await tree.listNodes({ baseId })
      const listed = await workflows.listWorkflows({ baseId })
      const shown = listed.map(({ id, name, isActive }) => ({ id, name, isActive }))
      expect(
        nodes.map(({ resourceId: id, resourceMeta: { name, isActive } }) => ({
          id,
          name,
          isActive,
        })),
      ).toEqual(shown)
      expect(new Set(shown.map(({ id }) => id))).toEqual(new Set(there.map(({ id }) => id)))
      for (const { id, name, draft, published, isActive } of there) {
        const hasDraft = !published || published.draft !== draft
        const now = await workflows.getWorkflow({ baseId, workflowId: id })
        expect(now).toMatchObject({ name, isActive })
        expect(now.nodes.map(({ type }) => type).join()).toBe(draft)
        // A draft may say what was published, too, until it is discarded or activated.
        if (hasDraft) expect(now.hasDraft).toBe(true)
        const snapshot = workflows.getActiveSnapshot({ baseId, workflowId: id })
        if (!isActive) {
          await expect(snapshot).rejects.toMatchObject({ code: 'not_found' })
          continue
        }
        expect(await snapshot).toMatchObject({ name: published?.name, isActive: true })
        expect((await snapshot).nodes.map(({ type }) => type).join()).toBe(published?.draft)
      }
      expect((await world.api.bases.verifyBase({ baseId })).problems).toEqual([])
    }

    try {
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), run), {
        numRuns: 25,
      })
    } finally {
      await world.close()
    }
  })
})
