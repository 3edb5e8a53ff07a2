import { z } from 'zod'
import { showing } from '../../../access/guard.ts'
import { onBase } from '../../../bases/base-guard.ts'
import { notFound } from '../../../errors.ts'
import { idSchema } from '../../../ids.ts'
import { addNodeAt } from '../../../tree/add-node.ts'
import { readTree } from '../../../tree/read-tree.ts'
import { defineWrite } from '../../../use-case.ts'
import { nameSchema } from '../../../values/names.ts'
import { onTableOfBase } from '../../table-guard.ts'
import { tableOutput, toTableOutput } from '../../table-output.ts'
import { copyTable } from './copy-table.ts'

const onHeldTable = onTableOfBase('table|create', 'update')

const idsOfCopies = z.record(z.string(), z.string())

/** Copies a table right after the original, and tells what its fields and views are called in the copy. */
export const duplicateTable = defineWrite({
  summary: 'Duplicate a table',
  input: z.object({
    baseId: idSchema,
    tableId: idSchema,
    name: nameSchema.optional().describe('Left out: the name of the original, numbered'),
    includeRecords: z.boolean().default(false).describe('Whether the records are copied, too'),
  }),
  output: tableOutput.extend({
    viewMap: idsOfCopies.describe('The ids of the views of the copy, by those of the original'),
    fieldMap: idsOfCopies.describe('The ids of the fields of the copy, by those of the original'),
  }),
  access: showing(onTableOfBase('table|create'), 'table|read'),
  run: async (context, { baseId, tableId, name, includeRecords }) => {
    const { tx, actor } = context
    // The tree of a base is held by way of the base, and before its tables. While it was waited for, it may have moved into
    // another space, and the caller's role there may have gone.
    const { scope } = await onBase('table|create', 'update').enter(tx, actor, { baseId })
    const { base } = scope
    // So it may while the table was waited for.
    const held = await onHeldTable.enter(tx, actor, { baseId, tableId })
    const original = await tx.nodes.findOf(tableId)
    if (!original) throw notFound('table', tableId)
    const { fields } = await tx.fields.schemaOf(held.scope.table)
    const views = await tx.views.listOf(tableId)
    const { table, idsByOriginal } = await copyTable(context, base, held.scope.table, {
      name,
      includeRecords,
    })
    const tree = await readTree(tx, baseId)
    const { order } = await addNodeAt(
      context,
      tree,
      { anchorId: original.id, position: 'after' },
      { base, resourceType: 'table', resourceId: table.id },
    )
    const mapOf = (originals: readonly { readonly id: string }[]) =>
      Object.fromEntries(originals.map(({ id }) => [id, idsByOriginal.get(id) ?? '']))
    const viewMap = mapOf(views)
    const [defaultViewId] = Object.values(viewMap)
    return {
      ...toTableOutput(table, { order, defaultViewId }),
      viewMap,
      fieldMap: mapOf(fields.map(({ field }) => field)),
      version: table.version,
    }
  },
})
