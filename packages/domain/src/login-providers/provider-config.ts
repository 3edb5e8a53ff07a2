import { z } from 'zod'
import { limits } from '../limits.ts'
import { storableTextUpTo } from '../values/storable-text.ts'

/** What stands for a secret wherever it is shown. Sent back, it means the secret that is kept. */
export const secretMask = '********'

const text = storableTextUpTo(limits.shortTextLength).min(1)

const rule =
  'must be a URL that begins with https://, or with http:// on this machine, without a user name, a password or a fragment'
const url = text.refine(isSafeUrl, rule)

/** The kinds of providers, with what each is configured by. */
export const configSchemas = {
  feishu: z.strictObject({ appId: text, appSecret: text }),
  oidc: z.strictObject({
    clientId: text,
    clientSecret: text,
    authorizationUrl: url,
    tokenUrl: url.describe('Where the secret is sent'),
    userInfoUrl: url,
    issuer: url,
  }),
}

/** Which kind of service it is. */
export type ProviderType = keyof typeof configSchemas

/** The member of each kind that is a secret, and the one that says where it is sent, if one does. */
export const secretMembers: Readonly<
  Record<ProviderType, { readonly secret: string; readonly sentTo?: string }>
> = {
  feishu: { secret: 'appSecret' },
  oidc: { secret: 'clientSecret', sentTo: 'tokenUrl' },
}

/** A provider as it is sent, by its kind. */
export type SentProvider = {
  readonly [Type in ProviderType]: {
    readonly type: Type
    readonly config: z.output<(typeof configSchemas)[Type]>
  }
}[ProviderType]

/** Else the secret would travel in the clear, or with somebody's password beside it. */
function isSafeUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password, hash } = new URL(value)
  if (`${username}${password}${hash}` !== '') return false
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}
