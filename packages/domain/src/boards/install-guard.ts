import type { Guard } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import { notFound } from '../errors.ts'
import type { PluginInstall } from '../plugin-installs/plugin-install.ts'

/** What a guard has found of the install that a call names. */
export interface InstallScope {
  readonly install: PluginInstall
}

/**
 * Lets those pass whom the guard lets pass, for a plugin that is installed at the position which `positionOf` reads from the
 * input, and which is held with the lock. `not_found` where it isn't installed there.
 */
export function atInstall<Input, Scope>(
  guard: Guard<Input, Scope>,
  positionOf: (input: Input) => string,
  lock: Lock,
): Guard<Input & { pluginInstallId: string }, Scope & InstallScope> {
  return {
    requirement: guard.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await guard.enter(tx, actor, input)
      const install = await tx.pluginInstalls.find(input.pluginInstallId, lock)
      if (install?.positionId !== positionOf(input)) {
        throw notFound('plugin install', input.pluginInstallId)
      }
      return { scope: { ...scope, install }, version: install.version }
    },
  }
}
