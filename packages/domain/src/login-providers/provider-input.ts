import { z } from 'zod'
import { invalidAt } from '../errors.ts'
import { idSchema } from '../ids.ts'
import type { Secrets } from '../secrets.ts'
import { nameSchema } from '../values/names.ts'
import type { LoginProvider } from './login-provider.ts'
import { configSchemas, type SentProvider, secretMask, secretMembers } from './provider-config.ts'

const shared = { spaceId: idSchema, name: nameSchema, id: idSchema.optional() }

/** A provider as it is sent: what `config` has depends on `type`. */
export const providerShapes = {
  feishu: z.object({ ...shared, type: z.literal('feishu'), config: configSchemas.feishu }),
  oidc: z.object({ ...shared, type: z.literal('oidc'), config: configSchemas.oidc }),
}

/** What is kept of a provider that was sent. */
type KeptConfig = Pick<LoginProvider, 'type' | 'config' | 'sealed'>

/**
 * What is kept of the configuration that was sent for the provider of the id. The mask in the place of the secret keeps the
 * one that is there. Throws validation_error where there is none to keep, or where it would be sent somewhere else: so
 * nobody who may only see the mask can have the secret sent to themselves.
 */
export function toKeptConfig(
  secrets: Pick<Secrets, 'seal'>,
  id: string,
  { type, config }: SentProvider,
  before?: LoginProvider,
): KeptConfig {
  const { secret: member, sentTo } = secretMembers[type]
  const { [member]: secret = '', ...rest } = config as Readonly<Record<string, string>>
  if (secret !== secretMask) return { type, config: rest, sealed: sealSecret(secrets, id, secret) }
  const path = ['config', member]
  if (!before) throw invalidAt(path, 'must be the secret itself: no secret is stored yet')
  if (before.type !== type) {
    const reason = `the stored secret is that of the type "${before.type}"`
    throw invalidAt(path, `must be the secret itself: ${reason}`)
  }
  if (sentTo !== undefined && before.config[sentTo] !== rest[sentTo]) {
    const reason = `a stored secret is kept only while ${sentTo} does not change`
    throw invalidAt(path, `must be the secret itself: ${reason}`)
  }
  return { type, config: rest, sealed: before.sealed }
}

/** Seals the secret for the provider of the id alone. */
function sealSecret(secrets: Pick<Secrets, 'seal'>, id: string, secret: string): string {
  return secrets.seal(JSON.stringify([id, secret]))
}

/** The secret of a provider; undefined where it was sealed with another key, or for another provider. */
export function openSecret(
  secrets: Pick<Secrets, 'unseal'>,
  { id, sealed }: Pick<LoginProvider, 'id' | 'sealed'>,
): string | undefined {
  const text = secrets.unseal(sealed)
  const [sealedFor, secret] = text === undefined ? [] : (JSON.parse(text) as string[])
  return sealedFor === id ? secret : undefined
}

/** What owners see of a provider. */
export function toLoginProviderOutput({ id, type, name, config, version }: LoginProvider) {
  const masked = { ...config, [secretMembers[type].secret]: secretMask }
  return { id, type, name, config: masked, version }
}
