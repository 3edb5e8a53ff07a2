import { type CallerScope, type Guard, instanceAdmin, signedIn } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import { onOwn } from '../accounts/users/account-guard.ts'
import { DomainError, notFound } from '../errors.ts'
import { findPlugin } from './find-plugin.ts'
import type { Plugin } from './plugin.ts'
import { shippedPlugins } from './shipped-plugins.ts'

/** What a guard has found of the plugin that a call names. */
export interface PluginScope extends CallerScope {
  readonly plugin: Plugin
}

/** Lets users see a plugin that they made, by session only, and the administrator of the instance what others handed in. */
export function onSeenPlugin(): Guard<{ pluginId: string }, PluginScope> {
  const owner = onOwnPlugin()
  return {
    requirement: owner.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await signedIn({ sessionOnly: true }).enter(tx, actor, input)
      const plugin = await findPlugin(tx, input.pluginId)
      if (plugin === undefined || plugin.status === 'developing') {
        return owner.enter(tx, actor, input)
      }
      const user = await tx.users.find(scope.userId)
      if (!user?.isAdmin) return owner.enter(tx, actor, input)
      return { scope: { ...scope, plugin }, version: plugin.version }
    },
  }
}

/** Lets users at a plugin that they made, by session only. What is published others may see, and not change. */
export function onOwnPlugin(lock: Lock = 'none'): Guard<{ pluginId: string }, PluginScope> {
  const caller = onOwn(lock)
  return {
    requirement: caller.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await caller.enter(tx, actor, input)
      const plugin = await findPlugin(tx, input.pluginId, lock)
      if (plugin?.createdBy === scope.userId) {
        return { scope: { ...scope, plugin }, version: plugin.version }
      }
      if (plugin?.status !== 'published') throw notFound('plugin', input.pluginId)
      throw new DomainError('restricted_resource', 'Only who made the plugin may do this')
    },
  }
}

/** Lets the administrator of the instance at what others made: plugins that are under review, or published. */
export function onSubmittedPlugin(): Guard<{ pluginId: string }, PluginScope> {
  const admin = instanceAdmin()
  return {
    requirement: admin.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await admin.enter(tx, actor, input)
      const plugin = await findPlugin(tx, input.pluginId, 'update')
      if (!plugin || plugin.status === 'developing') throw notFound('plugin', input.pluginId)
      if (shippedPlugins.has(plugin.id)) {
        throw new DomainError('restricted_resource', 'This plugin ships with the product: it stays')
      }
      return { scope: { ...scope, plugin }, version: plugin.version }
    },
  }
}
