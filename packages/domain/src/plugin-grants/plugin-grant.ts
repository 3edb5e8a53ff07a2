import type { Action } from '../access/roles.ts'
import type { Timestamp } from '../clock.ts'

/** What a user lets a plugin do in one base, in their name. */
export interface PluginGrant {
  readonly id: string
  readonly pluginId: string
  readonly userId: string
  readonly baseId: string
  /** What the plugin asked for; nothing until it has traded the code. */
  readonly scopes: readonly Action[]
  /** A digest of what the plugin trades next: the code at first, then the refresh token. */
  readonly tradeHash: string
  /** A digest of the access token; undefined until the code was traded. */
  readonly accessHash: string | undefined
  readonly accessExpiresTime: Timestamp | undefined
  /** The digest of the plugin's secret when the code was given: with another secret the grant has ended. */
  readonly secretHash: string
  /** What the plugin had as the same then: withdrawn since, it has no grants any more but those of its maker. */
  readonly withdrawnVersion: number | undefined
  readonly createdTime: Timestamp
  /** When its access token was last used, roughly. */
  readonly lastUsedTime: Timestamp | undefined
  /** When what is traded next is good for nothing any more, and the grant with it. */
  readonly expiresTime: Timestamp
}
