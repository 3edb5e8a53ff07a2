import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { assert } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { folderOutput } from '../folder-output.ts'
import { makeNode } from './create-node.ts'

/** Creates a folder at the root, and answers it by its own id. */
export const createFolder = defineWrite({
  summary: 'Create a folder',
  input: z.object({ baseId: idSchema, name: nameSchema }),
  output: folderOutput,
  access: onBase('base|update', 'update'),
  needs: ['settings'],
  run: async (context, { baseId, name }) => {
    const { id } = await makeNode(context, { baseId, resourceType: 'folder', name })
    const node = await context.tx.nodes.find(baseId, id)
    assert(node, 'the node that was made is there')
    return { id: node.resourceId, name: node.name, version: node.version }
  },
})
