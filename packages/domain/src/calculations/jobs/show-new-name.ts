import { type Timestamp, toTimestamp } from '../../clock.ts'
import { fieldTypes } from '../../fields/field-types.ts'
import { typeOf } from '../../fields/field-values.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import { limits } from '../../limits.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import type { WriteTx } from '../../store.ts'
import { scheduleStages } from '../pending/schedule-stages.ts'
import { type Origin, planStages } from '../stages/plan-stages.ts'

const kindName = 'show-new-name'

/** Has everything computed again, in the background, in which a user's name is part of a value. */
export async function scheduleNewName(
  { tx, now }: { readonly tx: WriteTx; readonly now: Timestamp },
  userId: string,
): Promise<void> {
  await tx.jobs.hasten({ id: jobIdOf(userId, ''), kind: kindName, dueTime: now, failures: 0 })
}

function jobIdOf(userId: string, afterTableId: string): string {
  return [kindName, userId, afterTableId].join(':')
}

/** The types whose cells name users. */
const typesOfUsers = [...fieldTypes.values()].filter(({ isOfUsers }) => isOfUsers)

/** Finds the fields that follow from a user's name, so many tables at a time, and has them computed. */
export const showNewName: JobKind = {
  name: kindName,
  isRecurring: false,
  periodMs: 0,
  run: async ({ tx, nowMs, ids, jobId }) => {
    const [, userId = '', after = ''] = jobId.split(':')
    const now = toTimestamp(nowMs)
    const take = limits.tablesPerSweep
    const page = { after, take }
    const tables = await tx.tables.listShowing(userId, {
      ...page,
      fieldTypes: typesOfUsers.map(({ name }) => name),
    })
    const graph = new SchemaGraph(tx, 'update')
    const origins: Origin[] = []
    for (const table of tables) {
      const { schema } = await graph.put(table)
      const changed = schema.fields.filter(namesUsers).map(({ field }) => field.id)
      origins.push({ tableId: table.id, changed, dirty: [] })
    }
    const stages = await planStages(graph, origins)
    await scheduleStages({ tx, now, userId, ids }, stages)
    const last = tables.at(-1)
    if (last && tables.length === take) {
      const next = { id: jobIdOf(userId, last.id), kind: kindName, dueTime: now, failures: 0 }
      await tx.jobs.hasten(next)
    } else {
      await tx.collaborators.forgetPlacesOf(userId)
    }
    return 'over'
  },
}

function namesUsers({ field, rules }: SchemaField): boolean {
  return rules.userIds !== undefined && typeOf(field).computation === undefined
}
