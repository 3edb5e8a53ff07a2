import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { mayTake } from '../../access/guard.ts'
import type { Role } from '../../access/roles.ts'
import { recordOutput } from '../../records/showing/record-output.ts'

/** What can be done with a record that is there. */
const actionsOnRecord = ['record|read', 'record|update', 'record|delete', 'record|comment'] as const

/** A record into which files were put, with what the caller may do with it: programs that know these two operations expect that. */
export const filesRecordOutput = recordOutput
  .extend({
    name: z.string().describe('The text of the primary field; empty where that is'),
    permissions: z
      .record(z.enum(actionsOnRecord), z.boolean())
      .describe('Of each action on a record, whether the caller may take it'),
    undeletable: z
      .boolean()
      .describe('Whether nobody can delete the record: false, every record can be deleted'),
  })
  .meta({ id: 'FilesRecord' })

/** A record into which files were put, as callers see it. */
export type FilesRecordOutput = z.output<typeof filesRecordOutput>

/** Of each action on a record, whether the caller may take it: by their role, and by the scopes of a token. */
export function permissionsOn({
  actor,
  role,
}: {
  readonly actor: Actor
  readonly role: Role
}): FilesRecordOutput['permissions'] {
  const allowed = actionsOnRecord.map((action) => [action, mayTake(actor, role, action)] as const)
  return Object.fromEntries(allowed) as FilesRecordOutput['permissions']
}
