import { z } from 'zod'
import type { Action } from '../access/roles.ts'
import type { Timestamp } from '../clock.ts'

/** By which an app proves who it is. */
interface OAuthSecret {
  readonly id: string
  /** A digest of the secret, which is shown once. */
  readonly hash: string
  /** What stands for it later on. */
  readonly masked: string
  /** When it was last used, roughly. */
  readonly lastUsedTime?: Timestamp | undefined
}

/** An app of somebody's that people let act in their name. */
export interface OAuthClient {
  readonly id: string
  readonly name: string
  readonly description: string | undefined
  /** A full URL, as is that of its picture. */
  readonly homepage: string
  readonly logo: string | undefined
  /** The most that it may ask for. */
  readonly scopes: readonly Action[]
  /** Where browsers may be sent with a code. */
  readonly redirectUris: readonly string[]
  /** None for an app that can't keep one, as it runs on the devices of people. */
  readonly secrets: readonly OAuthSecret[]
  readonly createdBy: string
  readonly createdTime: Timestamp
  readonly lastModifiedTime: Timestamp
  readonly version: number
}

/** What everybody sees of an app. */
export const listedClientOutput = z
  .object({
    clientId: z.string().describe('The id of the app; not a secret'),
    name: z.string().describe('What people see of it'),
    description: z.string().optional().describe('What it does'),
    logo: z.string().optional().describe('The URL of its picture'),
    homepage: z.string().describe('The URL of its own page'),
  })
  .meta({ id: 'ListedOAuthApp' })

/** An app as its maker sees it. */
export const clientOutput = listedClientOutput
  .extend({
    secrets: z
      .array(
        z.object({
          id: z.string(),
          secret: z.string().describe('Asterisks, and the end of the secret'),
          lastUsedTime: z.string().optional().describe('When it was last used, roughly'),
        }),
      )
      .optional()
      .describe('By which it proves who it is; none for an app that keeps no secret'),
    scopes: z.array(z.string()).optional().describe('The most that it may ask for'),
    redirectUris: z.array(z.string()).describe('Where browsers may be sent with a code'),
  })
  .meta({ id: 'OAuthApp' })

/** What everybody sees of the app; what was never set is left out. */
export function toListedClient({ id, name, description, logo, homepage }: OAuthClient) {
  return {
    ...{ clientId: id, name },
    ...(description !== undefined && { description }),
    ...(logo !== undefined && { logo }),
    homepage,
  }
}

/** What its maker sees of the app. */
export function toClientOutput(client: OAuthClient) {
  const { secrets, scopes, redirectUris, version } = client
  return {
    ...toListedClient(client),
    ...(secrets.length > 0 && {
      secrets: secrets.map(({ id, masked, lastUsedTime }) => ({
        ...{ id, secret: masked },
        ...(lastUsedTime !== undefined && { lastUsedTime }),
      })),
    }),
    ...(scopes.length > 0 && { scopes: [...scopes] }),
    ...{ redirectUris: [...redirectUris], version },
  }
}
