import { z } from 'zod'
import { invalidAt } from '../../../errors.ts'
import { nameSchema, toFreeName } from '../../../values/names.ts'
import { bumpNode } from '../../touch-node-of.ts'
import type { NodeResource } from '../node-resource.ts'

const input = z.object({ name: nameSchema })

/** Folders: a name that is unique in the base, numbered when it is taken at creation. */
export const folder: NodeResource<typeof input> = {
  actions: {
    read: 'base|read',
    create: 'base|update',
    update: 'base|update',
    delete: 'base|update',
  },
  input,
  urlOf: ({ baseId }) => `/base/${baseId}`,

  create: async ({ tx, ids, base }, { name }) => {
    const names = new Set(await tx.folders.listNames(base.id))
    const id = ids.next('folder')
    const freeName = toFreeName(name, (candidate) => names.has(candidate))
    await tx.folders.insert({ id, baseId: base.id, name: freeName })
    return id
  },

  change: async (context, node, { name = node.name }) => {
    if (name === node.name) return
    const { tx, base } = context
    if ((await tx.folders.listNames(base.id)).includes(name)) {
      throw invalidAt(['name'], `a folder "${name}" already exists in this base`)
    }
    await tx.folders.rename(node.resourceId, name)
    await bumpNode(context, node)
  },

  deletePermanently: ({ tx }, folderId) => tx.folders.delete(folderId),
}
