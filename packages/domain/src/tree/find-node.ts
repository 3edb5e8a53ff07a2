import type { ReadTx } from '../store.ts'
import type { DescribedNode } from './tree-node.ts'

/** The living node of the base that has the id, or that stands for what has it. */
export async function findNode(
  tx: ReadTx,
  baseId: string,
  id: string,
): Promise<DescribedNode | undefined> {
  const node = (await tx.nodes.find(baseId, id)) ?? (await tx.nodes.findOf(id))
  return node?.baseId === baseId ? node : undefined
}
