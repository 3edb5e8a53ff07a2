import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { mayReadBase } from '../../bases/may-read-base.ts'
import { idSchema } from '../../ids.ts'
import {
  filterLinkRecords,
  filterLinkRecordsOutput,
} from '../../records/query/filter-link-records.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import { defineRead } from '../../use-case.ts'
import type { Field } from '../field.ts'
import type { Filter } from '../filter.ts'
import { linkCapabilityOf } from '../link-of.ts'
import { onField } from './field-guard.ts'

/** Answers the records that the filter of a field names, by their tables: filters name them by their ids alone. */
export const listFieldFilterRecords = defineRead({
  summary: 'List the records that the filter of a field names',
  input: z.object({ tableId: idSchema, fieldId: idSchema }),
  output: filterLinkRecordsOutput,
  access: showing(onField('field|read'), 'record|read'),
  run: async (context) => {
    const { tx, field, table } = context
    const kept = keptFilterOf(field)
    const graph = new SchemaGraph(tx, 'none')
    const foreign = kept && (await graph.find(kept.foreignTableId))
    if (!foreign) return []
    const isElsewhere = foreign.table.baseId !== table.baseId
    if (isElsewhere && !(await mayReadBase(context, foreign.table.baseId))) return []
    return filterLinkRecords(context, graph, foreign, kept.filter)
  },
})

/** The filter that a link or a field which reads through one keeps, and the table that it is about. */
function keptFilterOf(
  field: Field,
): { readonly foreignTableId: string; readonly filter: Filter } | undefined {
  const { lookupOptions, options } = field
  const link = lookupOptions ? undefined : linkCapabilityOf(field)
  const filter = lookupOptions ? lookupOptions.filter : link?.filter(options)
  const foreignTableId = lookupOptions?.foreignTableId ?? link?.targetOf(options).foreignTableId
  return filter && foreignTableId !== undefined ? { foreignTableId, filter } : undefined
}
