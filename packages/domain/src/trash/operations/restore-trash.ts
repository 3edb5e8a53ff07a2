import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import {
  requirePeopleRoom,
  requireRoomForReturn,
  requireRoomForSpace,
} from '../../billing/require-room.ts'
import {
  resumeCalculations,
  resumeConversions,
} from '../../calculations/pending/resume-calculations.ts'
import { invalidAt } from '../../errors.ts'
import { restoreFields } from '../../fields/operations/deletion/restore-fields.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { restoreRecords } from '../../records/deletion/restore-records.ts'
import { healTables, restoreTable } from '../../tables/operations/deletion/restore-table.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { restoreNodeOf } from '../../tree/restore-node-of.ts'
import { defineWrite } from '../../use-case.ts'
import { restoreView } from '../../views/operations/restore-view.ts'
import { requireRoomForFlows } from '../../workflows/change-workflow.ts'
import type { TrashedType } from '../trash-entry.ts'
import { onTrashEntry, type TrashEntryScope } from './trash-guard.ts'

const access = onTrashEntry({
  space: ['space|delete'],
  base: ['base|delete'],
  table: ['table|trash_update', 'table|create'],
  dashboard: ['base|update'],
  workflow: ['automation|create'],
  view: ['table|trash_update', 'view|create'],
  field: ['table|trash_update', 'field|create'],
  record: ['table|trash_update', 'record|create'],
})

/** Brings back what one entry of a trash names, as it was. Nothing is changed where that is no longer possible. */
export const restoreTrash = defineWrite({
  summary: 'Restore one entry of a trash',
  input: z.object({ trashId: idSchema.describe('The entry') }),
  output: noOutput,
  access,
  answers: 'receipt',
  run: async (context) => {
    const { tx, actor, entry } = context
    await restorers[entry.resourceType](context)
    // While a space or tables were waited for, the caller's role may have gone.
    await access.enter(tx, actor, { trashId: entry.id })
    await tx.trash.remove(entry.id)
  },
})

type Context = TableContext & TrashEntryScope

const restorers: Readonly<Record<TrashedType, (context: Context) => Promise<void>>> = {
  record: async (context) => {
    const { id: operationId, resourceIds: recordIds } = context.entry
    await restoreRecords({ ...context, ...livingTable(context) }, { operationId, recordIds })
  },
  field: (context) => restoreFields({ ...context, ...livingTable(context) }, context.entry.id),
  view: (context) => restoreView({ ...context, ...livingTable(context) }, idIn(context)),
  table: async (context) => {
    const { base } = livingBase(context)
    const returning = { type: 'table', id: idIn(context) } as const
    await requireRoomForReturn(context, base.spaceId, returning)
    await restoreTable(context, base, idIn(context))
    await restoreNodeOf(context, base.id, idIn(context))
  },
  dashboard: async (context) => {
    const { base } = livingBase(context)
    await context.tx.dashboards.restore(idIn(context))
    await restoreNodeOf(context, base.id, idIn(context))
  },
  workflow: async (context) => {
    const { base } = livingBase(context)
    await context.tx.workflows.restore(idIn(context))
    await requireRoomForFlows(context.tx, base.id)
    await restoreNodeOf(context, base.id, idIn(context))
  },
  base: restoreBase,
  space: async (context) => {
    const { tx, userId, now, entry } = context
    const [spaceId = ''] = entry.resourceIds
    await requireFewSpaces(context)
    await requireRoomForSpace(context, spaceId)
    await tx.spaces.restore(spaceId)
    tx.emit({ name: 'space.created', time: now, userId, payload: { spaceId } })
    for (const { id: baseId } of await tx.bases.listPlaces(spaceId)) {
      await resumeConversions({ tx, now }, await tableIdsOf({ tx }, baseId))
    }
  },
}

async function tableIdsOf({ tx }: Pick<Context, 'tx'>, baseId: string): Promise<readonly string[]> {
  return (await tx.tables.listOf(baseId)).map(({ id }) => id)
}

/** A space that comes back counts again among those that its maker has created. */
async function requireFewSpaces({ tx, place }: Context): Promise<void> {
  if (place.kind !== 'space') return
  const { createdBy } = place.space
  // Held until the end, as where they create one.
  await tx.users.find(createdBy, 'update')
  const theirs = (await tx.spaces.listOf(createdBy)).filter(
    ({ space }) => space.createdBy === createdBy,
  )
  if (theirs.length < limits.spacesPerUser) return
  const message = `can't come back: who created it has created ${limits.spacesPerUser} spaces, which is the maximum`
  throw invalidAt([], message)
}

async function restoreBase(context: Context): Promise<void> {
  const { tx, userId, now, entry } = context
  const [baseId = ''] = entry.resourceIds
  const { placeId: spaceId } = entry
  // Held alone, as by all who put a base into a space: of two that come back at once, each counts the other.
  if (!(await tx.access.findSpace(spaceId, userId, 'update'))) throw parentDeleted('space')
  if ((await tx.bases.listPlaces(spaceId)).length >= limits.basesPerSpace) {
    throw invalidAt([], `can't come back: a space has ${limits.basesPerSpace} bases at most`)
  }
  await requireRoomForReturn(context, spaceId, { type: 'base', id: baseId })
  const people = await tx.collaborators.list([{ resourceType: 'base', resourceId: baseId }])
  const userIds = people.map(({ userId: id }) => id)
  await requirePeopleRoom(context, { resourceType: 'space', resourceId: spaceId }, userIds)
  await tx.bases.restore(baseId)
  tx.emit({ name: 'base.created', time: now, userId, payload: { spaceId, baseId } })
  const read = await tx.tables.readFromOutside(baseId)
  const reading = await tx.tables.readingOutside(baseId)
  await healTables(context, [...new Set([...read, ...reading])].toSorted())
  await resumeCalculations(context, await tableIdsOf(context, baseId))
}

function idIn({ entry }: Context): string {
  return entry.resourceIds[0] ?? ''
}

function livingTable({ place }: Context) {
  if (place.kind !== 'table' || place.isDeleted) throw parentDeleted('table')
  return { base: place.base, table: place.table }
}

function livingBase({ place }: Context) {
  if (place.kind !== 'base' || place.isDeleted) throw parentDeleted('base')
  return { base: place.base }
}

function parentDeleted(what: string) {
  return invalidAt(
    [],
    `can't come back: the ${what} that it belongs to is deleted, and must come back first`,
  )
}
