import { decide } from '../../../access/guard.ts'
import type { Action } from '../../../access/roles.ts'
import { notFound } from '../../../errors.ts'
import { changeTable } from '../../../tables/operations/change-table.ts'
import { copyTable } from '../../../tables/operations/copying/copy-table.ts'
import { createTableIn } from '../../../tables/operations/creation/create-table-in.ts'
import { tableDefinitionSchema } from '../../../tables/operations/creation/table-definition.ts'
import { markTableDeleted, removeTable } from '../../../tables/operations/deletion/remove-table.ts'
import type { Table } from '../../../tables/table.ts'
import type { NodeResource, ResourceContext } from '../node-resource.ts'

/** Tables, as the tree handles them. */
export const table: NodeResource<typeof tableDefinitionSchema> = {
  actions: {
    read: 'table|read',
    create: 'table|create',
    update: 'table|update',
    delete: 'table|delete',
  },
  input: tableDefinitionSchema,
  urlOf: ({ baseId, resourceId, defaultViewId }) =>
    `/base/${baseId}/table/${resourceId}${defaultViewId ? `/${defaultViewId}` : ''}`,

  create: async (context, definition) => {
    const { table } = await createTableIn(context, context.base, definition)
    return table.id
  },

  change: async (context, { resourceId, ...node }, { name = node.name, icon = node.icon }) => {
    await changeTable(context, await holdTable(context, resourceId, 'table|update'), { name, icon })
  },

  markDeleted: async (context, tableId, deletion) =>
    markTableDeleted(context, await holdTable(context, tableId, 'table|delete'), deletion),

  deletePermanently: async (context, tableId) =>
    removeTable(context, await holdTable(context, tableId, 'table|delete')),

  duplicate: async (context, tableId, { name, includeRecords = false }) => {
    const original = await holdTable(context, tableId, 'table|create')
    const copy = await copyTable(context, context.base, original, { name, includeRecords })
    return copy.table.id
  },
}

/**
 * The table, which nobody else changes until the transaction ends. While it was waited for, the caller's role in the space may
 * have gone: they are asked again.
 */
async function holdTable(
  { tx, actor, userId }: ResourceContext,
  tableId: string,
  action: Action,
): Promise<Table> {
  const access = await tx.access.findTable(tableId, userId, 'update')
  if (!access) throw notFound('table', tableId)
  const { base, role, table } = access
  const place = { spaceId: base.spaceId, baseId: base.id, what: 'table', id: tableId }
  decide(actor, role, action, place)
  return table
}
