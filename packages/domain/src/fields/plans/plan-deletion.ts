import { z } from 'zod'
import { SchemaGraph } from '../../calculations/schema-graph.ts'
import { idSchema } from '../../ids.ts'
import { linkAbilityOf } from '../../links/make-links.ts'
import { defineRead } from '../../use-case.ts'
import { onField } from '../field-guard.ts'
import { countFollowing, fieldPlan, toFieldPlan } from './field-plan.ts'

/** Tells how many cells of other fields the deletion of a field would change. */
export const planDeletion = defineRead({
  summary: 'Plan the deletion of a field',
  input: z.object({ tableId: idSchema, fieldId: idSchema }),
  output: fieldPlan,
  access: onField('field|delete'),
  run: async ({ tx, table, field }, { tableId, fieldId }) => {
    const graph = new SchemaGraph(tx, 'none')
    await graph.put(table)
    const target = linkAbilityOf(field)?.targetOf(field.options)
    const { foreignTableId = '', symmetricFieldId } = target ?? {}
    const origins = [{ tableId, changed: [fieldId], dirty: [] as string[] }]
    if (symmetricFieldId !== undefined) {
      origins.push({ tableId: foreignTableId, changed: [symmetricFieldId], dirty: [] })
    }
    const links = target ? (symmetricFieldId === undefined ? 1 : 2) : 0
    return toFieldPlan(await countFollowing(tx, graph, origins), links)
  },
})
