import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DomainError } from '../errors.ts'
import { limits } from '../limits.ts'
import { compareOrder } from '../values/ordering.ts'
import { type Destination, type Placement, Tree } from './tree.ts'
import type { ResourceType, TreeNode } from './tree-node.ts'

const maxFolderDepth = 3

function node(id: string, resourceType: ResourceType, parentId: string | null, order: number) {
  return { id, baseId: 'bse', parentId, resourceType, resourceId: `of-${id}`, order, version: 1 }
}

/** The nodes after the placements. */
function apply(nodes: readonly TreeNode[], placements: readonly Placement[]): TreeNode[] {
  const byId = new Map(placements.map((placement) => [placement.id, placement]))
  return nodes.map((node) => ({ ...node, ...byId.get(node.id) }))
}

/** The ids of the siblings in their order, by parent. */
function outline(nodes: readonly TreeNode[]): Record<string, string[]> {
  const groups = Map.groupBy(nodes.toSorted(compareOrder), ({ parentId }) => parentId ?? 'root')
  return Object.fromEntries([...groups].map(([id, group]) => [id, group.map(({ id }) => id)]))
}

function depthOf(nodes: readonly TreeNode[], node: TreeNode): number {
  let depth = 1
  for (let at: TreeNode | undefined = node; at?.parentId; depth++) {
    expect(depth).toBeLessThanOrEqual(nodes.length)
    at = nodes.find(({ id }) => id === at?.parentId)
  }
  return depth
}

/** Trees of folders and dashboards, made the way callers make them: by creation alone. */
const treeArbitrary = fc
  .array(fc.record({ folder: fc.boolean(), parent: fc.nat(20) }), { minLength: 2, maxLength: 14 })
  .map((wishes) => {
    const nodes: TreeNode[] = []
    for (const [index, { folder, parent }] of wishes.entries()) {
      const id = `n${index}`
      const folders = [null, ...nodes.filter(({ resourceType }) => resourceType === 'folder')]
      const within = folders[parent % folders.length]
      const isTooDeep = folder && within && depthOf(nodes, within) >= maxFolderDepth
      const parentId = isTooDeep ? null : (within?.id ?? null)
      const [placement] = new Tree(nodes).place(id, { parentId }) as [Placement]
      nodes.push(node(id, folder ? 'folder' : 'dashboard', parentId, placement.order))
    }
    return nodes
  })

const moveArbitrary = fc.record({
  moved: fc.nat(20),
  target: fc.option(fc.nat(20)),
  position: fc.constantFrom('before' as const, 'after' as const, 'in' as const),
})
type Move = typeof moveArbitrary extends fc.Arbitrary<infer T> ? T : never

function toDestination(nodes: readonly TreeNode[], { target, position }: Move): Destination {
  const id = target === null ? null : (nodes[target % nodes.length]?.id ?? null)
  if (id === null || position === 'in') return { parentId: id }
  return { anchorId: id, position }
}

/** The nodes after a move; undefined when it is refused. */
function tryMove(nodes: readonly TreeNode[], id: string, to: Destination): TreeNode[] | undefined {
  try {
    return apply(nodes, new Tree(nodes).move(id, to, { maxFolderDepth }))
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError)
    return undefined
  }
}

describe('a tree', () => {
  test('[TREE-17] [TREE-18] [TREE-4] never gets a circle, an ambiguous order or too deep', () => {
    const runs = fc.tuple(treeArbitrary, fc.array(moveArbitrary, { maxLength: 30 }))
    fc.assert(
      fc.property(runs, ([made, moves]) => {
        let nodes: readonly TreeNode[] = made
        for (const move of moves) {
          const { id } = nodes[move.moved % nodes.length] as TreeNode
          nodes = tryMove(nodes, id, toDestination(nodes, move)) ?? nodes
          for (const node of nodes) {
            const depth = depthOf(nodes, node)
            if (node.resourceType === 'folder') expect(depth).toBeLessThanOrEqual(maxFolderDepth)
            else expect(depth).toBeLessThanOrEqual(maxFolderDepth + 1)
          }
          for (const siblings of Map.groupBy(nodes, ({ parentId }) => parentId).values()) {
            expect(new Set(siblings.map(({ order }) => order)).size).toBe(siblings.length)
          }
        }
      }),
    )
  })

  test('[TREE-16] [TREE-18] always puts a node where it was to go, and moves no other', () => {
    fc.assert(
      fc.property(treeArbitrary, moveArbitrary, (nodes, move) => {
        const moved = nodes[move.moved % nodes.length] as TreeNode
        const to = toDestination(nodes, move)
        const after = tryMove(nodes, moved.id, to)
        if (!after) return
        const expected = outline(nodes.filter(({ id }) => id !== moved.id))
        const anchor = 'anchorId' in to ? nodes.find(({ id }) => id === to.anchorId) : undefined
        const parentId = ('parentId' in to ? to.parentId : anchor?.parentId) ?? 'root'
        const siblings = expected[parentId] ?? []
        expected[parentId] = siblings
        const at = anchor ? siblings.indexOf(anchor.id) + (move.position === 'after' ? 1 : 0) : 1e9
        siblings.splice(at, 0, moved.id)
        expect(outline(after)).toEqual(expected)
      }),
    )
  })

  test('[TREE-19] always restores the order when a node is moved back', () => {
    fc.assert(
      fc.property(treeArbitrary, moveArbitrary, (nodes, move) => {
        const moved = nodes[move.moved % nodes.length] as TreeNode
        const siblings = outline(nodes)[moved.parentId ?? 'root'] ?? []
        const index = siblings.indexOf(moved.id)
        const [previous, next] = [siblings[index - 1], siblings[index + 1]]
        const after = tryMove(nodes, moved.id, toDestination(nodes, move))
        if (!after) return
        const back: Destination = previous
          ? { anchorId: previous, position: 'after' }
          : next
            ? { anchorId: next, position: 'before' }
            : { parentId: moved.parentId }
        expect(outline(tryMove(after, moved.id, back) ?? [])).toEqual(outline(nodes))
      }),
    )
  })

  test('[TREE-20] never changes anything by a move to where a node stands', () => {
    fc.assert(
      fc.property(treeArbitrary, fc.nat(20), (nodes, pick) => {
        const moved = nodes[pick % nodes.length] as TreeNode
        const siblings = outline(nodes)[moved.parentId ?? 'root'] ?? []
        const index = siblings.indexOf(moved.id)
        const stays: Destination[] = []
        const [previous, next] = [siblings[index - 1], siblings[index + 1]]
        if (previous) stays.push({ anchorId: previous, position: 'after' })
        if (next) stays.push({ anchorId: next, position: 'before' })
        else stays.push({ parentId: moved.parentId })
        for (const stay of stays) {
          expect(new Tree(nodes).move(moved.id, stay, { maxFolderDepth })).toEqual([])
        }
      }),
    )
  })

  test('[TREE-18] places halfway, and numbers the siblings anew when nothing fits between', () => {
    const nodes = [
      node('a', 'dashboard', null, 1),
      node('b', 'dashboard', null, 2),
      node('c', 'dashboard', null, 3),
    ]
    const after = { anchorId: 'a', position: 'after' } as const
    const roomy = new Tree(nodes).move('c', after, { maxFolderDepth })
    expect(roomy).toEqual([{ id: 'c', parentId: null, order: 1.5 }])
    const tight = [nodes[0], node('b', 'dashboard', null, 1 + Number.EPSILON), nodes[2]]
    const renumbered = new Tree(tight as TreeNode[]).move('c', after, { maxFolderDepth })
    expect(renumbered.map(({ id, order }) => [id, order])).toEqual([
      ['a', 1],
      ['c', 2],
      ['b', 3],
    ])
    const tied = [nodes[0], node('b', 'dashboard', null, 1), nodes[2]]
    const untied = apply(
      tied as TreeNode[],
      new Tree(tied as TreeNode[]).move('c', after, { maxFolderDepth }),
    )
    expect(outline(untied)).toEqual({ root: ['a', 'c', 'b'] })
  })

  test('[TREE-29] always gives the same order, whichever node comes back first', () => {
    const step = fc.record({
      kind: fc.constantFrom('move', 'delete', 'restore', 'put'),
      at: fc.nat(9),
      to: fc.nat(9),
    })
    const steps = fc.array(step, { maxLength: 30 })
    const world = fc.array(fc.nat(9), { minLength: 3, maxLength: 8 })
    fc.assert(
      fc.property(world, steps, fc.infiniteStream(fc.nat(99)), (made, steps, picks) => {
        let living = made.map((_, index) => node(`n${index}`, 'dashboard', null, index + 1))
        let gone: TreeNode[] = []
        const treeOf = (living: readonly TreeNode[], gone: readonly TreeNode[]) =>
          new Tree(living, { ordersInTrash: gone.map(({ order }) => order) })
        const restored = (living: readonly TreeNode[], gone: readonly TreeNode[], back: TreeNode) =>
          apply([...living, back], treeOf(living, gone).placeBack(back))
        for (const { kind, at, to } of steps) {
          const one = living[at % living.length]
          const other = living[to % living.length]
          const back = gone[at % gone.length]
          const tree = treeOf(living, gone)
          if (kind === 'restore' && back) {
            living = restored(living, gone, back)
            gone = gone.filter(({ id }) => id !== back.id)
          } else if (one && kind === 'put') {
            const rest = living.filter(({ id }) => id !== one.id)
            living = apply(living, treeOf(rest, gone).place(one.id, { parentId: null, order: to }))
          } else if (one && other && one !== other && kind === 'move') {
            const position = to % 2 ? 'before' : 'after'
            living = apply(
              living,
              tree.move(one.id, { anchorId: other.id, position }, { maxFolderDepth }),
            )
          } else if (one && living.length > 1 && kind === 'delete') {
            living = living.filter(({ id }) => id !== one.id)
            gone = [...gone, one]
          }
        }
        const allBack = (order: readonly TreeNode[]) => {
          let [all, left] = [living, [...order]]
          for (const back of order) {
            all = restored(all, left, back)
            left = left.filter(({ id }) => id !== back.id)
          }
          return all
        }
        const shuffled = gone
          .map((one) => ({ one, key: picks.next().value as number }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ one }) => one)
        const all = allBack(gone)
        expect(outline(allBack(shuffled))).toEqual(outline(all))
        expect(outline(all)).toEqual(outline([...living, ...gone]))
        expect(new Set(all.map(({ order }) => order)).size).toBe(all.length)
      }),
      { numRuns: 500 },
    )
  })

  test('[TREE-18] orders siblings of one number by id', () => {
    const tree = new Tree([node('b', 'dashboard', null, 1), node('a', 'dashboard', null, 1)])
    expect(tree.childrenOf(null).map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('[TREE-4] lets a folder be ordered that lies deeper than folders may by now', () => {
    const nodes = [
      node('a', 'folder', null, 1),
      node('b', 'folder', 'a', 2),
      node('c', 'folder', 'a', 3),
    ]
    const move = (to: Destination) => new Tree(nodes).move('c', to, { maxFolderDepth: 1 })
    expect(move({ anchorId: 'b', position: 'before' })).toHaveLength(1)
    expect(move({ parentId: null })).toHaveLength(1)
    expect(() => new Tree(nodes).move('a', { parentId: 'b' }, { maxFolderDepth: 9 })).toThrow()
  })

  test('[TREE-15] always puts what was in a folder in its place, in order', () => {
    fc.assert(
      fc.property(treeArbitrary, fc.nat(20), (nodes, pick) => {
        const folders = nodes.filter(({ resourceType }) => resourceType === 'folder')
        const folder = folders[pick % folders.length]
        if (!folder) return
        const expected = outline(nodes)
        const children = expected[folder.id] ?? []
        const siblings = expected[folder.parentId ?? 'root'] ?? []
        siblings.splice(siblings.indexOf(folder.id), 1, ...children)
        delete expected[folder.id]
        if (siblings.length === 0) delete expected[folder.parentId ?? 'root']
        const left = apply(nodes, new Tree(nodes).dissolve(folder.id))
        expect(outline(left.filter(({ id }) => id !== folder.id))).toEqual(expected)
      }),
    )
  })

  test('[TREE-13] refuses one node more than a base may have', () => {
    const nodes = Array.from({ length: limits.nodesPerBase }, (_, index) =>
      node(`n${index}`, 'dashboard', null, index),
    )
    const place = (all: readonly TreeNode[]) => new Tree(all).place('new', { parentId: null })
    expect(() => place(nodes)).toThrow('5000')
    expect(place(nodes.slice(1))).toHaveLength(1)
  })
})
