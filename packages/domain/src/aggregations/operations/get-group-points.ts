import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { groupPointOutput, readGrouping } from '../../records/groups/group-points.ts'
import {
  type AskedContext,
  type AskedInput,
  findAskedQuery,
} from '../../records/query/find-asked-query.ts'
import { groupShape, queryShape } from '../../records/query/query-shape.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'

/** Tells the groups of what a query finds, and how many records each has. */
export const getGroupPoints = defineRead({
  summary: 'List groups',
  input: z.object({ tableId: idSchema, ...queryShape, ...groupShape }),
  output: z.array(groupPointOutput),
  access: onTable('record|read'),
  run: (context, input) => tellGroups(context, input),
})

/** The groups of what is asked for. validation_error where there are too many of them. */
export async function tellGroups(
  context: AskedContext,
  input: AskedInput,
): Promise<z.output<typeof groupPointOutput>[]> {
  const asked = await findAskedQuery(context, input)
  const grouping = asked.grouping ?? (await readGrouping(context, asked, []))
  if (!grouping) return []
  const told = await grouping.tell()
  if (told) return told.groupPoints
  const most = `must make ${limits.groups} groups at most, of ${limits.groupsLength} bytes together`
  throw invalidAt(['groupBy'], `${most}: group by fewer fields, or by one with fewer values`)
}
