import { z } from 'zod'
import { actions } from '../access/roles.ts'
import type { Timestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import { nameSchema } from '../values/names.ts'
import { storableTextUpTo } from '../values/storable-text.ts'
import { webUrlSchema } from '../values/web-url.ts'
import type { OAuthClient } from './oauth-client.ts'
import { redirectUriSchema } from './redirect-uri.ts'

/** What its maker says of an app, at first and whenever they change it. What is left out, or null, isn't set. */
export const clientSettingsSchema = z.object({
  name: nameSchema,
  description: storableTextUpTo(limits.descriptionLength).nullish(),
  homepage: webUrlSchema.describe('The URL of its own page'),
  logo: webUrlSchema.nullish(),
  scopes: z
    .array(z.enum(actions))
    .max(actions.length)
    .nullish()
    .transform((scopes) => [...new Set(scopes ?? [])])
    .describe('The most that it may ask for; without any it learns who its users are, and no more'),
  redirectUris: z
    .array(redirectUriSchema)
    .min(1)
    .max(limits.redirectUrisPerClient)
    .transform((uris) => [...new Set(uris)])
    .describe('Where browsers may be sent with a code'),
})

/** The settings as they are kept. */
export function toKeptClient(
  settings: z.output<typeof clientSettingsSchema>,
  now: Timestamp,
): Omit<OAuthClient, 'id' | 'secrets' | 'createdBy' | 'createdTime' | 'version'> {
  const { name, homepage, scopes, redirectUris } = settings
  return {
    ...{ name, homepage, scopes, redirectUris, lastModifiedTime: now },
    description: settings.description ?? undefined,
    logo: settings.logo ?? undefined,
  }
}
