import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { onBase } from '../../bases/base-guard.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { findNode } from '../../tree/find-node.ts'
import { moveNodeIn } from '../../tree/move-node-in.ts'
import { readTree } from '../../tree/read-tree.ts'
import { defineWrite } from '../../use-case.ts'
import { onTableOrNode } from '../table-guard.ts'

/** Moves a table beside another one of its base: their nodes stand side by side then. */
export const moveTable = defineWrite({
  summary: 'Move a table before or after another one',
  input: z.object({
    baseId: idSchema,
    tableId: idSchema,
    anchorId: idSchema,
    position: z.enum(['before', 'after']),
  }),
  output: noOutput,
  access: onTableOrNode('table|update'),
  needs: ['settings'],
  run: async (context, { baseId, anchorId, position }) => {
    const { tx, actor, table } = context
    // The tree of a base is held by way of the base. While it was waited for, the caller's role there may have gone.
    await onBase('table|update', 'update').enter(tx, actor, { baseId })
    const node = await tx.nodes.findOf(table.id)
    if (!node) throw notFound('table', table.id)
    const anchor = await findNode(tx, baseId, anchorId)
    if (anchor?.resourceType !== 'table') throw notFound('table', anchorId)
    const tree = await readTree(tx, baseId)
    await moveNodeIn(context, tree, node, { anchorId: anchor.id, position })
  },
})
