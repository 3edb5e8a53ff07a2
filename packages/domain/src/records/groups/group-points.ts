import { z } from 'zod'
import type { Viewer } from '../../accounts/users/shown-contact.ts'
import { limits } from '../../limits.ts'
import { dateWindow } from '../../queries/date-window.ts'
import type { RecordQuery } from '../../queries/record-query.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { ValuesWithin } from '../showing/answer-size.ts'
import { outputsOf, type RecordOutput } from '../showing/record-output.ts'
import { groupIdsOf, withoutGroups } from './group-ids.ts'
import { groupKeysOf, type RecordGroup, readGroups } from './read-groups.ts'

const groupHeader = z
  .object({
    id: z.string().describe('Tells the group from all others of the table, wherever it is told'),
    type: z.literal(0).describe('The beginning of a group'),
    depth: z.number().describe('How many groups it is in'),
    value: z
      .unknown()
      .describe(
        'What its records have in the field, as a record shows it; null where that is empty',
      ),
    isCollapsed: z.boolean().describe('Whether it is told without what is in it'),
    count: z.number().describe('How many records it has'),
  })
  .meta({ id: 'GroupHeader' })

const groupRows = z
  .object({
    type: z.literal(1).describe('The records of the group that was begun last'),
    count: z.number().describe('How many records follow in the group before'),
  })
  .meta({ id: 'GroupRows' })

/** The beginning of a group, or how many records it has. */
export const groupPointOutput = z.discriminatedUnion('type', [groupHeader, groupRows])

type GroupPoint = z.output<typeof groupPointOutput>

/** What a list of records tells of its groups. */
export const groupsOutput = {
  groupPoints: z
    .array(groupPointOutput)
    .describe(
      'The beginnings of all groups, and the records of the innermost ones, in their order',
    ),
  allGroupHeaderRefs: z
    .array(z.object({ id: z.string(), depth: z.number() }))
    .describe('The ids of all groups, those in collapsed ones among them'),
}

/** What is told of groups. */
export interface ToldGroups {
  readonly groupPoints: GroupPoint[]
  readonly allGroupHeaderRefs: { readonly id: string; readonly depth: number }[]
}

interface GroupContext extends Viewer {
  readonly tx: ReadTx
}

/** What is asked: a query that groups records. */
interface GroupedQuery {
  readonly schema: TableSchema
  readonly query: RecordQuery
}

/** A query whose groups were looked at. */
export interface Grouped {
  /** The query, without the records of collapsed groups. */
  readonly query: RecordQuery
  /** What is told of all its groups; undefined where there are too many, or they take too much. */
  tell(): Promise<ToldGroups | undefined>
}

/**
 * Looks at the groups of a query; undefined where it makes none. Where there are too many none is told, so that ids of collapsed ones are of no
 * group, and ask nothing.
 */
export async function readGrouping(
  context: GroupContext,
  { schema, query }: GroupedQuery,
  collapsedIds: readonly string[],
): Promise<Grouped | undefined> {
  if (groupKeysOf(query).length === 0) return undefined
  const groups = await readGroups(context.tx, schema, query)
  if (!groups) return { query, tell: async () => undefined }
  const fields = groupKeysOf(query).map(({ field }) => field)
  const collapsed = new Set(collapsedIds)
  const ids = groupIdsOf(schema, fields, groups)
  return {
    query: withoutGroups(query, fields, groups, ids, collapsed),
    tell: () => tellGroups(context, schema, fields, groups, ids, collapsed),
  }
}

async function tellGroups(
  { tx, actor, publicUrl }: GroupContext,
  schema: TableSchema,
  fields: readonly SchemaField[],
  groups: readonly RecordGroup[],
  ids: readonly (readonly string[])[],
  collapsed: ReadonlySet<string>,
): Promise<ToldGroups | undefined> {
  const samples = groups.map(({ sample }) => sample)
  const projection = new Set(fields.map(({ field }) => field.id))
  const shape = { fieldKeyType: 'id', cellFormat: 'json', projection, actor, publicUrl } as const
  const { show } = await outputsOf(tx, schema, samples, shape)
  const counts = countsOf(groups, ids)
  const points = new ValuesWithin<GroupPoint>(tx, limits.groupsLength)
  const allGroupHeaderRefs: { id: string; depth: number }[] = []
  let before: readonly string[] = []
  for (const [index, { sample, records }] of groups.entries()) {
    const path = ids[index] ?? []
    const output = await show(tx, sample)
    const told: GroupPoint[] = []
    const collapsedAt = path.findIndex((id) => collapsed.has(id))
    const deepest = collapsedAt === -1 ? path.length : collapsedAt
    for (const [depth, id] of path.entries()) {
      const field = fields[depth]
      if (!field || before[depth] === id) continue
      allGroupHeaderRefs.push({ id, depth })
      if (depth > deepest) continue
      const value = toldValue(field, output)
      const isCollapsed = depth === deepest
      told.push({ id, type: 0, depth, value, isCollapsed, count: counts.get(id) ?? 0 })
    }
    if (collapsedAt === -1) told.push({ type: 1, count: records })
    for (const point of told) if (!(await points.add(point))) return undefined
    before = path
  }
  return { groupPoints: points.values, allGroupHeaderRefs }
}

/** How many records each group has, by its id. */
function countsOf(
  groups: readonly RecordGroup[],
  ids: readonly (readonly string[])[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [index, { records }] of groups.entries()) {
    for (const id of ids[index] ?? []) counts.set(id, (counts.get(id) ?? 0) + records)
  }
  return counts
}

/** What is told of a group: a date as the first moment of what the field shows of it, all else as a record shows it. */
export function toldValue({ field, rules }: SchemaField, output: RecordOutput): unknown {
  const { item, isList } = rules.form
  const shown = output.fields[field.id] ?? null
  if (shown === null || item.kind !== 'date' || isList) return shown
  const moment = shown as string
  const value = { mode: 'exactFormatDate', exactDate: moment } as const
  return dateWindow(value, moment, item.formatting).from
}
