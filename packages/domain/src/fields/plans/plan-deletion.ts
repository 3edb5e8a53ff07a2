import { z } from 'zod'
import { SchemaGraph } from '../../calculations/schema-graph.ts'
import { idSchema } from '../../ids.ts'
import { linkAbilityOf } from '../../links/make-links.ts'
import { defineRead } from '../../use-case.ts'
import { onField } from '../field-guard.ts'
import { requireFieldDeletion, requireNoPrimary } from '../require-field-deletion.ts'
import { countFollowing, fieldPlan, toFieldPlan } from './field-plan.ts'

/**
 * Tells how many cells of other fields the deletion of a field would change; refuses what deleting it
 * would refuse.
 */
export const planDeletion = defineRead({
  summary: 'Plan the deletion of a field',
  input: z.object({ tableId: idSchema, fieldId: idSchema }),
  output: fieldPlan,
  access: onField('field|delete'),
  run: async (context, { tableId, fieldId }) => {
    const { tx, table, field } = context
    requireNoPrimary([field])
    const graph = new SchemaGraph(tx, 'none')
    await graph.put(table)
    const target = linkAbilityOf(field)?.targetOf(field.options)
    const { foreignTableId = '', symmetricFieldId } = target ?? {}
    const origins = [{ tableId, changed: [fieldId], dirty: [] as string[] }]
    if (symmetricFieldId !== undefined) {
      const symmetric = await graph.findField(foreignTableId, symmetricFieldId)
      if (symmetric) await requireFieldDeletion(context, graph, foreignTableId)
      origins.push({ tableId: foreignTableId, changed: [symmetricFieldId], dirty: [] })
    }
    const links = target ? (symmetricFieldId === undefined ? 1 : 2) : 0
    return toFieldPlan(await countFollowing(tx, graph, origins), links)
  },
})
