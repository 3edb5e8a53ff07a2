import { type CallerScope, type Guard, signedIn } from '../access/guard.ts'
import { notFound } from '../errors.ts'
import type { PluginGrant } from './plugin-grant.ts'

/** What a guard has found of the grant that a call names. */
export interface GrantScope extends CallerScope {
  readonly grant: PluginGrant
}

/** Lets users at the grant of theirs that the input names, by session only; the grant is held. */
export function onOwnGrant(): Guard<{ id: string }, GrantScope> {
  const caller = signedIn({ sessionOnly: true })
  return {
    requirement: caller.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await caller.enter(tx, actor, input)
      const grant = await tx.pluginGrants.find(input.id, 'update')
      if (grant?.userId !== scope.userId) throw notFound('plugin grant', input.id)
      return { scope: { ...scope, grant } }
    },
  }
}
