import { z } from 'zod'
import type { Timestamp } from '../clock.ts'
import { describedAs } from '../input/described-as.ts'
import { limits } from '../limits.ts'
import { jsonObjectUpTo } from '../values/json/json-object.ts'
import { languageSchema } from '../values/language-tag.ts'
import { nameSchema } from '../values/names.ts'
import { sentObject } from '../values/sent-object.ts'
import { storableTextUpTo } from '../values/storable-text.ts'
import { webUrlSchema } from '../values/web-url.ts'
import { type Plugin, pluginPositions } from './plugin.ts'

const nameRule = `must have at most ${limits.pluginNameLength} characters`
const pluginName = nameSchema.check(z.maxLength(limits.pluginNameLength, nameRule))
const description = storableTextUpTo(limits.pluginDescriptionLength)
const detailDesc = storableTextUpTo(limits.pluginDetailsLength)

const wordsSchema = z.object({
  name: pluginName.optional(),
  description: description.optional(),
  detailDesc: detailDesc.optional(),
})

const wordsByLanguage = z.record(languageSchema, wordsSchema)

/** What its maker says of a plugin, at first and whenever they change it. What is left out, or null, isn't set. */
export const pluginSettingsSchema = z.object({
  name: pluginName,
  description: description.nullish(),
  detailDesc: detailDesc.nullish(),
  logo: webUrlSchema,
  url: webUrlSchema.nullish(),
  helpUrl: webUrlSchema.nullish(),
  config: jsonObjectUpTo(limits.pluginConfigBytes).nullish(),
  positions: z
    .array(z.enum(pluginPositions))
    .min(1)
    .max(pluginPositions.length)
    .transform((positions) => pluginPositions.filter((one) => positions.includes(one))),
  i18n: describedAs(sentObject(limits.pluginLanguages).pipe(wordsByLanguage), () => wordsByLanguage)
    .nullish()
    .describe('Its words in other languages, by the tags of these'),
})

/** The settings as they are kept. */
export function toKeptSettings(
  settings: z.output<typeof pluginSettingsSchema>,
  now: Timestamp,
): Omit<
  Plugin,
  'id' | 'status' | 'secretHash' | 'withdrawnVersion' | 'createdBy' | 'createdTime' | 'version'
> {
  const { name, logo, positions } = settings
  return {
    ...{ name, logo, positions },
    description: settings.description ?? undefined,
    detailDesc: settings.detailDesc ?? undefined,
    url: settings.url ?? undefined,
    helpUrl: settings.helpUrl ?? undefined,
    config: settings.config ?? undefined,
    i18n: settings.i18n ?? undefined,
    lastModifiedTime: now,
  }
}
