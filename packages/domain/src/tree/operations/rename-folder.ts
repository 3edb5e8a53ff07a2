import { z } from 'zod'
import { assert } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { folderOutput } from '../folder-output.ts'
import { onFolder } from './node-guard.ts'
import { folder } from './resources/folder.ts'

/** Renames a folder. */
export const renameFolder = defineWrite({
  summary: 'Rename a folder',
  input: z.object({ baseId: idSchema, folderId: idSchema, name: nameSchema }),
  output: folderOutput,
  access: onFolder(({ update }) => [update], 'update'),
  run: async (context, { name }) => {
    const { resourceId: folderId } = context.node
    await folder.change(context, context.node, { name })
    const node = await context.tx.nodes.findOf(folderId)
    assert(node, 'a folder that was renamed is there')
    return { id: folderId, name: node.name, version: node.version }
  },
})
