import { assert, DomainError } from '../../errors.ts'
import { digestFields } from '../../fields/operations/building/digest-fields.ts'
import { areAsNoted } from '../../fields/operations/columns/cell-notes.ts'
import { markFieldsDeleted } from '../../fields/operations/deletion/mark-fields-deleted.ts'
import { restoreFields } from '../../fields/operations/deletion/restore-fields.ts'
import { requireConverted } from '../../fields/operations/require-converted.ts'
import { removeRecords } from '../../records/deletion/remove-records.ts'
import { restoreRecords } from '../../records/deletion/restore-records.ts'
import { digestRecords, digestWithTrash } from '../../records/undo/digest-records.ts'
import { digestView } from '../../views/digest-view.ts'
import { markViewDeleted } from '../../views/operations/mark-view-deleted.ts'
import { restoreView } from '../../views/operations/restore-view.ts'
import { requireView } from '../../views/require-view.ts'
import { requireUnlocked } from '../../views/view-guard.ts'
import { UndoLog } from '../undo-log.ts'
import type { FinalStep, ReaderState, TrashedKind, TrashStep } from '../undo-step.ts'
import { movedOn } from './moved-on.ts'
import { requireAction, type UndoContext, type UndoDirection } from './undo-context.ts'

type Ids = readonly string[]

/** The trash entry of things, and the fields of other tables that changed because these things were deleted. */
interface Trashed {
  readonly entryId: string
  readonly readers?: readonly ReaderState[]
}

/** How things of one kind, such as records, are deleted, restored, and compared with an earlier state by a digest. */
interface TrashedThings {
  takeAway(context: UndoContext, ids: Ids): Promise<Trashed>
  bringBack(context: UndoContext, ids: Ids, trashed: Trashed): Promise<void>
  digest(context: UndoContext, step: Pick<TrashStep, 'ids' | 'noteId'>): Promise<string>
  /** As `digest`, with those parts of the things that are in the table's trash; undefined when there are none. */
  digestWithTrash?(context: UndoContext, step: Pick<TrashStep, 'ids'>): Promise<string | undefined>
}

const records: TrashedThings = {
  takeAway: async (context, ids) => ({ entryId: await removeRecords(context, ids, []) }),
  bringBack: (context, recordIds, { entryId: operationId }) =>
    restoreRecords(context, { recordIds, operationId }),
  digest: async ({ tx, table }, { ids }) => digestRecords(tx, await tx.fields.schemaOf(table), ids),
  digestWithTrash: ({ tx, table }, { ids }) => digestWithTrash(tx, table, ids),
}

const fieldsOfTable: TrashedThings = {
  takeAway: async (context, ids) => {
    const { byKey } = await context.tx.fields.schemaOf(context.table)
    const found = ids.map((id) => {
      const field = byKey.id.get(id)?.field
      if (!field) throw movedOn(`The field "${id}"`)
      return field
    })
    const { operationId: entryId, readers } = await markFieldsDeleted(context, found)
    return { entryId, readers }
  },
  bringBack: (context, _ids, { entryId, readers }) =>
    restoreFields(context, entryId, { under: 'own names', readers }),
  digest: ({ tx, table }, { ids: fieldIds, noteId }) =>
    digestFields(tx, { tableId: table.id, fieldIds, areEmpty: noteId !== undefined }),
}

const views: TrashedThings = {
  takeAway: async (context, [viewId = '']) => {
    const view = await requireView(context.tx, { tableId: context.table.id, viewId }, 'update')
    requireUnlocked(view)
    return { entryId: await markViewDeleted(context, view) }
  },
  bringBack: (context, [viewId = '']) => restoreView(context, viewId, 'own names'),
  digest: ({ tx, table }, { ids: [viewId = ''] }) => digestView(tx, { tableId: table.id, viewId }),
}

const things: Readonly<Record<TrashedKind, TrashedThings>> = {
  record: records,
  field: fieldsOfTable,
  view: views,
}

/**
 * Brings back what a command deleted, takes away what it made or brought back, or does so again. Returns the step as it is
 * then: one that leads back, unless what other fields were takes too much room for that.
 */
export async function applyTrash(
  context: UndoContext,
  step: TrashStep,
  direction: UndoDirection,
): Promise<TrashStep | FinalStep> {
  const isBroughtBack = (step.kind === 'deletion') === (direction === 'undo')
  const { kind, of, ids, entryId, readers } = step
  if (isBroughtBack) {
    assert(entryId !== undefined, 'what is to come back lies in the trash')
    await bringBack(context, step, { entryId, ...(readers && { readers }) })
    const after = await renewed(context)
    const digest = await things[of].digest(after, step)
    const digestWithTrash = await things[of].digestWithTrash?.(after, step)
    return { kind, of, ids, digest, ...(digestWithTrash && { digestWithTrash }) }
  }
  requireAction(context, `${of}|delete`)
  if (!(await isAsLeft(context, step))) {
    throw movedOn(ids.length === 1 ? `The ${of} "${ids[0]}"` : `One of ${ids.length} ${of}s`)
  }
  const room = new UndoLog()
  room.noteTrash({ kind, of, ids, ...(await things[of].takeAway(context, ids)) })
  const [taken] = room.steps
  assert(taken?.kind === kind || taken?.kind === 'final', 'a log has what it noted, or why not')
  return taken
}

/** Whether things hold what they held when they were left. Throws conflict while the background is making that. */
async function isAsLeft(context: UndoContext, step: TrashStep): Promise<boolean> {
  const { tx, table } = context
  const { of, ids, noteId } = step
  const schema = await tx.fields.schemaOf(table)
  const asked = schema.fields.filter(({ field }) => of !== 'field' || ids.includes(field.id))
  if (of !== 'view') {
    requireConverted(
      asked.map(({ field }) => field),
      'undo it',
    )
  }
  if (!(await isDigested(context, step))) return false
  const [made] = asked
  return noteId === undefined || !made || (await areAsNoted(tx, schema, made, noteId))
}

/** Whether fields alone were deleted or restored since, if anything: that takes nothing from what was written, and adds nothing. */
async function isDigested(context: UndoContext, step: TrashStep): Promise<boolean> {
  const digests = [step.digest, step.digestWithTrash].filter((digest) => digest !== undefined)
  const { digest, digestWithTrash } = things[step.of]
  if (digests.includes(await digest(context, step))) return true
  const withTrash = await digestWithTrash?.(context, step)
  return withTrash !== undefined && digests.includes(withTrash)
}

/** Takes things out of the trash, in which they still lie as the entry says. */
export async function bringBack(
  context: UndoContext,
  { of, ids }: Pick<TrashStep, 'of' | 'ids'>,
  trashed: Trashed,
): Promise<void> {
  const { entryId } = trashed
  requireAction(context, 'table|trash_update')
  requireAction(context, `${of}|create`)
  if (!(await context.tx.trash.find(entryId, 'update'))) {
    const message =
      'What lay in the trash was restored or purged since: nothing is undone or redone'
    throw new DomainError('conflict', message)
  }
  await things[of].bringBack(context, ids, trashed)
  await context.tx.trash.remove(entryId)
}

/** The context with the table read again, since its fields may have changed. */
async function renewed(context: UndoContext): Promise<UndoContext> {
  const [table] = await context.tx.tables.findAll([context.table.id], 'none')
  assert(table, 'the table is held')
  return { ...context, table }
}
