import { z } from 'zod'
import type { TokenActor } from '../access/actor.ts'
import type { Action } from '../access/roles.ts'
import type { Timestamp } from '../clock.ts'

/** A personal access token: lets a program act as its user, within its scopes and reach. */
export interface AccessToken {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly description: string | undefined
  readonly scopes: readonly Action[]
  /** The spaces, with all that is in them, and the bases that it reaches. */
  readonly spaceIds: readonly string[] | undefined
  readonly baseIds: readonly string[] | undefined
  /** Reaches all that its user does, whatever places are named. */
  readonly hasFullAccess: boolean
  /** A digest of the whole text, which is shown once. */
  readonly tokenHash: string
  readonly expiresTime: Timestamp
  readonly createdTime: Timestamp
  readonly lastUsedTime: Timestamp | undefined
  readonly version: number
}

/** A token as its user sees it whenever they change it. */
export const accessTokenSettings = z
  .object({
    id: z.string().describe('The id of the token; not its secret'),
    name: z.string().describe('What the user calls the token'),
    description: z.string().optional().describe('What the user notes about it'),
    scopes: z.array(z.string()).describe('The actions that it may be used for'),
    spaceIds: z
      .array(z.string())
      .optional()
      .describe('The spaces that it reaches, with all that is in them'),
    baseIds: z.array(z.string()).optional().describe('The bases that it reaches'),
    hasFullAccess: z.boolean().optional().describe('Whether it reaches all that its user does'),
  })
  .meta({ id: 'AccessTokenSettings' })

/** A token as its user sees it later on: without its secret. */
export const accessTokenOutput = accessTokenSettings
  .extend({
    expiredTime: z.string().describe('When it ends, or has ended'),
    createdTime: z.string().describe('When it was made'),
    lastUsedTime: z.string().optional().describe('When it was last used, roughly'),
  })
  .meta({ id: 'AccessToken' })

/** What a token's user sees of its settings; a member that was never set is left out. */
export function toAccessTokenSettings(token: AccessToken) {
  const { id, name, description, scopes, spaceIds, baseIds, hasFullAccess, version } = token
  return {
    id,
    name,
    ...(description !== undefined && { description }),
    scopes: [...scopes],
    ...(spaceIds && { spaceIds: [...spaceIds] }),
    ...(baseIds && { baseIds: [...baseIds] }),
    ...(hasFullAccess && { hasFullAccess }),
    version,
  }
}

/** What a token's user sees of it later on, without its secret. */
export function toAccessTokenOutput(token: AccessToken) {
  const { expiresTime, createdTime, lastUsedTime } = token
  return {
    ...toAccessTokenSettings(token),
    expiredTime: expiresTime,
    createdTime,
    ...(lastUsedTime !== undefined && { lastUsedTime }),
  }
}

/** Who acts by way of the token. One that names no place, and has no full access, reaches none. */
export function toTokenActor(token: AccessToken): TokenActor {
  const { id, userId, scopes, spaceIds, baseIds, hasFullAccess } = token
  return {
    kind: 'token',
    userId,
    tokenId: id,
    scopes: new Set(scopes),
    ...(!hasFullAccess && {
      reach: { spaceIds: new Set(spaceIds), baseIds: new Set(baseIds) },
    }),
  }
}
