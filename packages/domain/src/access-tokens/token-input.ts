import { z } from 'zod'
import { actions } from '../access/roles.ts'
import { type Timestamp, toTimestamp } from '../clock.ts'
import { invalid, invalidAt } from '../errors.ts'
import { idSchema } from '../ids.ts'
import { limits } from '../limits.ts'
import type { ReadTx } from '../store.ts'
import { nameSchema } from '../values/names.ts'
import { storableTextUpTo, textUpTo } from '../values/storable-text.ts'

const placesSchema = z
  .array(idSchema)
  .max(limits.placesPerAccessToken)
  .nullish()
  .transform((ids) => (ids ? unique(ids) : undefined))

const reachHint = 'Without `spaceIds`, `baseIds` and `hasFullAccess` it reaches no place.'

/** What a user decides about an access token, at first and whenever they change it. */
export const tokenSettingsSchema = z.object({
  name: nameSchema,
  description: storableTextUpTo(limits.descriptionLength).nullish(),
  scopes: z.array(z.enum(actions)).min(1).max(actions.length).transform(unique),
  spaceIds: placesSchema.meta({
    description: `The spaces that the token reaches, with all their bases. ${reachHint}`,
  }),
  baseIds: placesSchema.meta({ description: `The bases that the token reaches. ${reachHint}` }),
  hasFullAccess: z.boolean().nullish().meta({
    description:
      'Whether the token reaches all that its user does, in later spaces and bases too; whatever places are named is then of no effect.',
  }),
})
type TokenSettings = z.output<typeof tokenSettingsSchema>

const momentText = textUpTo(limits.momentLength)

/** When a token ends: a day (its beginning, in UTC) or a moment. */
export const expiredTimeSchema = z
  .union([momentText.check(z.iso.date()), momentText.check(z.iso.datetime({ offset: true }))], {
    error: 'must be a date or a date and time (ISO 8601)',
  })
  .transform((text) => toTimestamp(Date.parse(text)))

/** Refuses an end that is not in the future. */
export function requireFuture(expiredTime: Timestamp, now: Timestamp): void {
  if (expiredTime <= now) throw invalidAt(['expiredTime'], 'must be in the future')
}

/**
 * The settings as they are kept. Refuses places in which the user has no role: such a token would tell
 * by its answers, or come to reach later, what its user may not know of.
 */
export async function toTokenSettings(tx: ReadTx, userId: string, settings: TokenSettings) {
  const { name, description, scopes, spaceIds, baseIds, hasFullAccess } = settings
  const known = await tx.access.placesWithRole(userId, {
    spaceIds: spaceIds ?? [],
    baseIds: baseIds ?? [],
  })
  const issues = [
    ...unknownPlaces('spaceIds', spaceIds, known.spaceIds),
    ...unknownPlaces('baseIds', baseIds, known.baseIds),
  ]
  if (issues.length > 0) throw invalid(issues)
  return {
    name,
    description: description ?? undefined,
    scopes,
    spaceIds,
    baseIds,
    hasFullAccess: hasFullAccess ?? false,
  }
}

function unknownPlaces(
  member: string,
  wanted: readonly string[] | undefined,
  known: readonly string[],
) {
  const knownIds = new Set(known)
  return (wanted ?? []).flatMap((id, index) =>
    knownIds.has(id)
      ? []
      : [{ path: [member, index], message: 'must be one in which you have a role' }],
  )
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}
