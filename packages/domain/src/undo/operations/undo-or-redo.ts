import { z } from 'zod'
import { DomainError, type ErrorKind } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { requireMatch } from '../../require-match.ts'
import type { Store, WriteTx } from '../../store.ts'
import { onTable, type TableScope } from '../../tables/table-guard.ts'
import { type CallContext, defineWrite } from '../../use-case.ts'
import type { UndoCommand } from '../undo-repository.ts'
import { applyCommand } from './apply-command.ts'
import type { UndoDirection } from './undo-context.ts'

// Held alone, so that what is changed is what was looked at.
const access = onTable('table|read', 'update')

/** What became of it. */
export interface Outcome {
  readonly status: 'fulfilled' | 'failed' | 'empty'
  readonly errorMessage?: string
  /** The command that failed, which is forgotten. */
  readonly failed?: Pick<UndoCommand, 'userId' | 'number'> | undefined
}

/** What is wrong with the service, or with the moment, rather than with what is to be undone. */
const passing: readonly ErrorKind[] = [
  'unavailable',
  'internal',
  'out-of-space',
  'timeout',
  'too-many',
]

/** The operation that undoes the last command of a window, or redoes the one that was undone last. */
export function undoOrRedo(direction: UndoDirection, summary: string) {
  return defineWrite({
    summary,
    input: z.object({ tableId: idSchema }),
    output: z.object({
      status: z
        .enum(['fulfilled', 'failed', 'empty'])
        .describe('Whether it was done, could not be done, or there was nothing to do'),
      errorMessage: z.string().optional().describe('Why it could not be done'),
    }),
    access,
    // A version is compared where things are undone, which may count it up.
    matchesEach: true,
    // In a transaction of its own: what fails changes nothing, and is answered all the same.
    prepare: (context, input) => attempt(context, input, direction),
    run: async ({ tx, prepared }): Promise<Omit<Outcome, 'failed'>> => {
      const { failed, ...outcome } = prepared
      if (failed) await tx.undo.remove(failed)
      return outcome
    },
  })
}

async function attempt(
  context: CallContext & { readonly store: Store },
  input: { readonly tableId: string },
  direction: UndoDirection,
): Promise<Outcome> {
  const { store, actor, ifMatch, ...rest } = context
  let command: UndoCommand | undefined
  try {
    return await store.write(async (tx) => {
      command = undefined
      const { scope, version } = await access.enter(tx, actor, input)
      requireMatch(ifMatch, version)
      command = await findCommand(tx, scope, context, direction)
      if (!command) return { status: 'empty' }
      const entered = { ...rest, ...scope, actor, undo: undefined, tx }
      await applyCommand(entered, command, direction)
      await tx.undo.save({ ...command, isUndone: direction === 'undo' })
      return { status: 'fulfilled' }
    })
  } catch (error) {
    if (!command || !(error instanceof DomainError) || passing.includes(error.kind)) throw error
    return { status: 'failed', errorMessage: error.message, failed: command }
  }
}

async function findCommand(
  tx: WriteTx,
  { userId, table }: TableScope,
  { windowId, now }: CallContext,
  direction: UndoDirection,
): Promise<UndoCommand | undefined> {
  if (windowId === undefined) return undefined
  const window = { userId, tableId: table.id, windowId }
  return direction === 'undo' ? tx.undo.lastDone(window, now) : tx.undo.lastUndone(window, now)
}
