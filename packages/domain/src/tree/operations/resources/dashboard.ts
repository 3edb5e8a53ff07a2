import { z } from 'zod'
import type { Dashboard } from '../../../dashboards/dashboard.ts'
import { assert } from '../../../errors.ts'
import { nameSchema, toFreeName } from '../../../values/names.ts'
import { bumpNode } from '../../touch-node-of.ts'
import type { NodeResource, ResourceContext } from '../node-resource.ts'

const input = z.object({ name: nameSchema })

/** Dashboards, as the tree handles them. Names may repeat; that of a copy is numbered. */
export const dashboard: NodeResource<typeof input> & Required<Pick<NodeResource, 'markDeleted'>> = {
  actions: {
    read: 'base|read',
    create: 'base|update',
    update: 'base|update',
    delete: 'base|update',
  },
  input,
  urlOf: ({ baseId, resourceId }) => `/base/${baseId}/dashboard/${resourceId}`,

  create: (context, { name }) => insert(context, { name }),

  change: async (context, node, { name = node.name }) => {
    if (name === node.name) return
    await context.tx.dashboards.rename(node.resourceId, name)
    await bumpNode(context, node)
  },

  markDeleted: async ({ tx, base }, dashboardId, deletion) => {
    await tx.dashboards.markDeleted(dashboardId, deletion)
    const what = { resourceType: 'dashboard', resourceIds: [dashboardId] } as const
    await tx.trash.add(deletion, { placeId: base.id, ...what })
  },

  deletePermanently: ({ tx }, dashboardId) => tx.dashboards.delete(dashboardId),

  duplicate: async (context, dashboardId, { name }) => {
    const { tx, base } = context
    const dashboards = await tx.dashboards.listOf(base.id)
    const original = dashboards.find(({ id }) => id === dashboardId)
    assert(original, `the dashboard ${dashboardId} of a living node is there`)
    const names = new Set(dashboards.map((one) => one.name))
    const free = () => toFreeName(original.name, (candidate) => names.has(candidate))
    return insert(context, { name: name ?? free() })
  },
}

async function insert(
  { tx, ids, base, userId, now }: ResourceContext,
  settings: Pick<Dashboard, 'name'>,
): Promise<string> {
  const id = ids.next('dashboard')
  const made = { id, baseId: base.id, createdBy: userId, createdTime: now, version: 1 }
  await tx.dashboards.insert({ ...made, ...settings })
  return id
}
