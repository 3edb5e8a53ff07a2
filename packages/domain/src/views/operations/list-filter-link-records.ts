import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { mayReadBase } from '../../bases/may-read-base.ts'
import type { Field } from '../../fields/field.ts'
import { itemsOf } from '../../fields/filter.ts'
import { linkAbilityOf } from '../../fields/link-of.ts'
import { idSchema } from '../../ids.ts'
import { readTitles, type TitledRecord } from '../../records/read-titles.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import { defineRead } from '../../use-case.ts'
import { onView } from '../view-guard.ts'

const linkedRecord = z.object({
  id: z.string().describe('The id of the record'),
  title: z.string().optional().describe('What links show of it'),
})

/** Answers the records that the filter of a view names, by their tables: filters name them by their ids alone. */
export const listFilterLinkRecords = defineRead({
  summary: 'List the records that the filter of a view names',
  input: z.object({ tableId: idSchema, viewId: idSchema }),
  output: z.array(
    z.object({
      tableId: z.string().describe('The linked table'),
      records: z.array(linkedRecord).describe('Those that are there, in the order of the filter'),
    }),
  ),
  access: showing(onView('view|read'), 'record|read'),
  run: async (context) => {
    const { tx, table, view } = context
    const { byKey } = await tx.fields.schemaOf(table)
    const graph = new SchemaGraph(tx, 'none')
    const answers = new Map<string, Map<string, TitledRecord>>()
    for (const { fieldId, value } of view.filter ? itemsOf(view.filter) : []) {
      const field = await linkFieldOf(graph, byKey.id.get(fieldId)?.field)
      const link = field && linkAbilityOf(field)
      const ids = [value].flat().filter((id) => typeof id === 'string')
      if (!link || ids.length === 0) continue
      const foreign = await graph.find(link.targetOf(field.options).foreignTableId)
      if (!foreign) continue
      const isElsewhere = foreign.table.baseId !== table.baseId
      if (isElsewhere && !(await mayReadBase(context, foreign.table.baseId))) continue
      const records = answers.get(foreign.table.id) ?? new Map()
      answers.set(foreign.table.id, records)
      const titleFieldId = link.titleFieldId(field.options)
      const titles = await readTitles(context, foreign.schema, titleFieldId, ids)
      for (const record of titles) if (!records.has(record.id)) records.set(record.id, record)
    }
    return [...answers].map(([tableId, records]) => ({ tableId, records: [...records.values()] }))
  },
})

/** The link whose records the cells of the field hold: itself, or what it looks up, however far away that is. */
async function linkFieldOf(graph: SchemaGraph, field?: Field): Promise<Field | undefined> {
  const seen = new Set<string>()
  for (let at = field; at && !seen.has(at.id); ) {
    seen.add(at.id)
    const { lookupOptions, isLookup } = at
    if (!isLookup || !lookupOptions) return at
    at = (await graph.findField(lookupOptions.foreignTableId, lookupOptions.lookupFieldId))?.field
  }
  return undefined
}
