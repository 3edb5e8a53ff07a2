import { z } from 'zod'
import { noOutput } from '../../../answers/no-output.ts'
import { breakReaders } from '../../../fields/operations/derivation/break-readers.ts'
import type { ReadTable } from '../../../fields/operations/derivation/rederivation.ts'
import { idSchema } from '../../../ids.ts'
import type { TableSchema } from '../../../schemas/table-schema.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { defineWrite } from '../../../use-case.ts'
import { onBase, onBaseOrTrash } from '../../base-guard.ts'
import { holdTables } from '../hold-tables.ts'
import { schedulePurgeOfBase } from './purge-base.ts'

const onLiving = onBase('base|delete', 'update')
const onAny = onBaseOrTrash('base|delete')

/** Moves a base to the trash, with all that is in it. */
export const deleteBase = defineWrite({
  summary: 'Delete a base',
  input: z.object({ baseId: idSchema }),
  output: noOutput,
  access: onLiving,
  run: async (context) => {
    const { tx, actor, base, userId, now, ids } = context
    const readTables = await findReadTables(context, base.id)
    // While the tables were waited for, the caller's role in the space may have gone.
    await onLiving.enter(tx, actor, { baseId: base.id })
    await tx.invitations.deleteOf({ resourceType: 'base', resourceId: base.id })
    await tx.invitationLinks.deleteOf({ resourceType: 'base', resourceId: base.id })
    const deletion = { operationId: ids.next('operation'), time: now, userId }
    await tx.bases.markDeleted(base.id, deletion)
    const what = { resourceType: 'base', resourceIds: [base.id] } as const
    await tx.trash.add(deletion, { placeId: base.spaceId, ...what })
    const payload = { spaceId: base.spaceId, baseId: base.id }
    tx.emit({ name: 'base.deleted', time: now, userId, payload })
    await breakReaders(context, readTables)
  },
})

/**
 * Removes a base for good, with all that is in it: out of reach at once, purged in the background. It may lie
 * in the trash: what read it has errors already then.
 */
export const deleteBasePermanently = defineWrite({
  summary: 'Delete a base for good',
  input: z.object({ baseId: idSchema }),
  output: noOutput,
  access: onAny,
  run: async (context) => {
    const { tx, actor, base, userId, now } = context
    const readTables = await findReadTables(context, base.id)
    await onAny.enter(tx, actor, { baseId: base.id })
    await tx.purge.removeBase(base.id)
    await schedulePurgeOfBase(context, base.id)
    const payload = { spaceId: base.spaceId, baseId: base.id }
    tx.emit({ name: 'base.deleted', time: now, userId, payload })
    await breakReaders(context, readTables)
  },
})

/**
 * The tables of the base that fields of other bases read, with the tables that those are in. All tables of the base are
 * held before it is asked: fields that are being made at the same time are among those that read them then.
 */
async function findReadTables({ tx }: TableContext, baseId: string): Promise<readonly ReadTable[]> {
  await holdTables(tx, baseId)
  const tables = await tx.tables.findAll(await tx.tables.readFromOutside(baseId), 'update')
  const schemas: TableSchema[] = []
  for (const table of tables) schemas.push(await tx.fields.schemaOf(table))
  return schemas
}
