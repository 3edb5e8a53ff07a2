import { z } from 'zod'
import { ScopeMissing } from '../../access/guard.ts'
import { DomainError, type ErrorKind } from '../../errors.ts'
import { StillWorking } from '../../fields/operations/require-converted.ts'
import { idSchema } from '../../ids.ts'
import type { WriteTx } from '../../store.ts'
import { onTable, type TableScope } from '../../tables/table-guard.ts'
import { type CallContext, defineWrite } from '../../use-case.ts'
import type { UndoCommand } from '../undo-repository.ts'
import type { UndoStep } from '../undo-step.ts'
import { applyCommand } from './apply-command.ts'
import type { UndoContext, UndoDirection } from './undo-context.ts'

// Held alone, so that what is changed is what was looked at.
const access = onTable('table|read', 'update')

/** What is wrong with the service, or with the moment, rather than with what is to be undone. */
const passing: readonly ErrorKind[] = [
  'unavailable',
  'internal',
  'out-of-space',
  'timeout',
  'too-many',
]

/** What became of what was to be undone, or done again. */
export interface Outcome {
  readonly status: 'fulfilled' | 'failed' | 'empty'
  readonly errorMessage?: string
}

/** A command that can't be undone, or done again, and why: never, or not yet. */
class CommandRefused extends DomainError {
  readonly command: UndoCommand
  readonly isForNow: boolean

  constructor(command: UndoCommand, refusal: DomainError) {
    super(refusal.code, refusal.message)
    this.command = command
    // Deleted records make room after a while.
    this.isForNow = refusal instanceof StillWorking || refusal.kind === 'payment-required'
  }
}

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
    run: async (context): Promise<Outcome> => {
      const command = await findCommand(context, direction)
      if (!command) return { status: 'empty' }
      const steps = await apply(context, command, direction)
      await context.tx.undo.save({ ...command, steps, isUndone: direction === 'undo' })
      return { status: 'fulfilled' }
    },
    // What fails changes nothing but that the command is forgotten, and is answered all the same.
    answerRefusal: async ({ tx }, refusal): Promise<Outcome> => {
      if (!(refusal instanceof CommandRefused)) throw refusal
      if (!refusal.isForNow) await tx.undo.remove(refusal.command)
      return { status: 'failed', errorMessage: refusal.message }
    },
  })
}

async function apply(
  context: UndoContext & Pick<CallContext, 'ifMatch'>,
  command: UndoCommand,
  direction: UndoDirection,
): Promise<readonly UndoStep[]> {
  // It is no command itself, and the version that is asked for is that of the table.
  const { ifMatch: _, undo: __, ...rest } = context
  try {
    return await applyCommand(rest, command, direction)
  } catch (error) {
    if (!(error instanceof DomainError) || passing.includes(error.kind)) throw error
    // That is wrong with the credential: its user may still undo it.
    if (error instanceof ScopeMissing) throw error
    throw new CommandRefused(command, error)
  }
}

async function findCommand(
  { tx, userId, table, windowId, now }: CallContext & TableScope & { readonly tx: WriteTx },
  direction: UndoDirection,
): Promise<UndoCommand | undefined> {
  if (windowId === undefined) return undefined
  const window = { userId, tableId: table.id, windowId }
  return direction === 'undo' ? tx.undo.lastDone(window, now) : tx.undo.lastUndone(window, now)
}
