import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import {
  filterLinkRecords,
  filterLinkRecordsOutput,
} from '../../records/query/filter-link-records.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import { defineRead } from '../../use-case.ts'
import { onView } from '../view-guard.ts'

/** Answers the records that the filter of a view names, by their tables: filters name them by their ids alone. */
export const listFilterLinkRecords = defineRead({
  summary: 'List the records that the filter of a view names',
  input: z.object({ tableId: idSchema, viewId: idSchema }),
  output: filterLinkRecordsOutput,
  access: showing(onView('view|read'), 'record|read'),
  run: async (context) => {
    const { tx, table, view } = context
    if (!view.filter) return []
    const schema = await tx.fields.schemaOf(table)
    return filterLinkRecords(context, new SchemaGraph(tx, 'none'), { table, schema }, view.filter)
  },
})
