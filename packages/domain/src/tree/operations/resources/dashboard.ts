import { z } from 'zod'
import { copyDashboards } from '../../../dashboards/copy-dashboards.ts'
import type { Dashboard } from '../../../dashboards/dashboard.ts'
import { removeDashboard } from '../../../dashboards/remove-dashboard.ts'
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

  create: async (context, { name }) => {
    const made = newDashboard(context, { name, layout: null })
    await context.tx.dashboards.insert([made])
    return made.id
  },

  change: async (context, node, { name = node.name }) => {
    if (name === node.name) return
    const { tx } = context
    const found = await tx.dashboards.find(node.resourceId, 'update')
    assert(found, `the dashboard ${node.resourceId} of a living node is there`)
    await tx.dashboards.update({ ...found, name })
    await bumpNode(context, node)
  },

  markDeleted: async ({ tx, base }, dashboardId, deletion) => {
    await tx.dashboards.markDeleted(dashboardId, deletion)
    const what = { resourceType: 'dashboard', resourceIds: [dashboardId] } as const
    await tx.trash.add(deletion, { placeId: base.id, ...what })
  },

  deletePermanently: ({ tx }, dashboardId) => removeDashboard(tx, dashboardId),

  duplicate: async (context, dashboardId, { name }) => {
    const { tx, base } = context
    const dashboards = await tx.dashboards.listOf(base.id)
    const original = dashboards.find(({ id }) => id === dashboardId)
    assert(original, `the dashboard ${dashboardId} of a living node is there`)
    const names = new Set(dashboards.map((one) => one.name))
    const free = () => toFreeName(original.name, (candidate) => names.has(candidate))
    const [copy] = await copyDashboards(
      context,
      [{ original, copy: newDashboard(context, { name: name ?? free(), layout: null }) }],
      new Map(),
    )
    assert(copy, 'the copy was made')
    return copy.id
  },
}

function newDashboard(
  { ids, base, userId, now }: ResourceContext,
  settings: Pick<Dashboard, 'name' | 'layout'>,
): Dashboard {
  const id = ids.next('dashboard')
  return { id, baseId: base.id, createdBy: userId, createdTime: now, version: 1, ...settings }
}
