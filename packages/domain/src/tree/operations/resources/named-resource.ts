import { z } from 'zod'
import { assert } from '../../../errors.ts'
import type { IdKind } from '../../../ids.ts'
import type { TrashedType } from '../../../trash/trash-entry.ts'
import { nameSchema, toFreeName } from '../../../values/names.ts'
import type { NamedResourceRepository } from '../../named-resource-repository.ts'
import { bumpNode } from '../../touch-node-of.ts'
import type { NodeResource, ResourceContext } from '../node-resource.ts'

const input = z.object({ name: nameSchema })

/** What tells one type of named resource from another. */
interface NamedResourceTraits extends Pick<NodeResource, 'actions' | 'urlOf'> {
  readonly idKind: IdKind & TrashedType
  repositoryOf(tx: ResourceContext['tx']): NamedResourceRepository
}

/** A resource that the tree knows by its name alone. Names may repeat; that of a copy is numbered. */
export function namedResource({
  idKind,
  repositoryOf,
  ...traits
}: NamedResourceTraits): NodeResource<typeof input> {
  const create = async ({ tx, ids, base, userId, now }: ResourceContext, name: string) => {
    const id = ids.next(idKind)
    const made = { id, baseId: base.id, name, createdBy: userId, createdTime: now, version: 1 }
    await repositoryOf(tx).insert(made)
    return id
  }
  return {
    ...traits,
    input,
    create: (context, { name }) => create(context, name),
    change: async (context, node, { name = node.name }) => {
      if (name === node.name) return
      await repositoryOf(context.tx).rename(node.resourceId, name)
      await bumpNode(context, node)
    },
    markDeleted: async ({ tx, base }, id, deletion) => {
      await repositoryOf(tx).markDeleted(id, deletion)
      const what = { resourceType: idKind, resourceIds: [id] }
      await tx.trash.add(deletion, { placeId: base.id, ...what })
    },
    deletePermanently: ({ tx }, id) => repositoryOf(tx).delete(id),
    duplicate: async (context, id, { name }) => {
      if (name !== undefined) return create(context, name)
      const original = await repositoryOf(context.tx).find(id)
      assert(original, `the resource ${id} of a living node is there`)
      const names = new Set(await repositoryOf(context.tx).listNames(context.base.id))
      return create(
        context,
        toFreeName(original.name, (candidate) => names.has(candidate)),
      )
    },
  }
}
