import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onOwnGrant } from '../grant-guard.ts'

/** Ends what a plugin may do in one base in the caller's name: its code and tokens are good for nothing any more. */
export const deletePluginGrant = defineWrite({
  summary: 'Revoke what a plugin may do on my behalf',
  input: z.object({ id: idSchema }),
  output: noOutput,
  access: onOwnGrant(),
  run: ({ tx, grant }) => tx.pluginGrants.delete(grant.id),
})
