import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { assert } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { folderOutput } from '../folder-output.ts'
import { makeNode } from './create-node.ts'

/** Creates a folder, last in another one or at the root, and answers it by its own id. */
export const createFolder = defineWrite({
  summary: 'Create a folder',
  input: z.object({
    baseId: idSchema,
    name: nameSchema,
    /** The node of a folder, or that folder itself; null or absent for the root. */
    parentId: idSchema.nullable().optional(),
  }),
  output: folderOutput,
  access: onBase('base|update', 'update'),
  needs: ['settings'],
  run: async (context, { baseId, name, parentId = null }) => {
    const { id } = await makeNode(context, { baseId, resourceType: 'folder', name, parentId })
    const node = await context.tx.nodes.find(baseId, id)
    assert(node, 'the node that was made is there')
    return { id: node.resourceId, name: node.name, version: node.version }
  },
})
