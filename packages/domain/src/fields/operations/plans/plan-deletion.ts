import { z } from 'zod'
import { idSchema } from '../../../ids.ts'
import { requireAtOtherEnd } from '../../../links/require-at-other-end.ts'
import { SchemaGraph } from '../../../schemas/schema-graph.ts'
import { defineRead } from '../../../use-case.ts'
import type { Field } from '../../field.ts'
import { symmetricOf } from '../../link-of.ts'
import { requireNoPrimary } from '../deletion/require-no-primary.ts'
import { onField } from '../field-guard.ts'
import { requireConverted, requireCopied } from '../require-converted.ts'
import { countFollowing, fieldPlan, linkFieldIds, toFieldPlan } from './field-plan.ts'

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
    const doomed: Field[] = [field]
    const end = symmetricOf(field)
    const origins = [{ tableId, changed: [fieldId], dirty: [] as string[] }]
    if (end) {
      const foreign = await graph.find(end.tableId)
      const symmetric = foreign?.schema.byKey.id.get(end.fieldId)
      if (foreign && symmetric) {
        await requireAtOtherEnd(context, context, foreign, 'field|delete')
        doomed.push(symmetric.field)
      }
      origins.push({ tableId: end.tableId, changed: [end.fieldId], dirty: [] })
    }
    requireConverted(doomed, 'delete it')
    await requireCopied(tx, doomed, 'delete it')
    const cells = await countFollowing(tx, graph, origins)
    return toFieldPlan(cells, linkFieldIds(field).length)
  },
})
