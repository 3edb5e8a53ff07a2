import { DomainError } from '../errors.ts'
import type { LoginProvider } from '../login-providers/login-provider.ts'
import { openSecret } from '../login-providers/provider-input.ts'
import type { Ports } from '../ports.ts'
import type { LinkedIdentity } from './identity.ts'
import type { OpenIdConnection, OpenIdQuestion } from './open-id-client.ts'
import { type SignInFlow, tiesOf } from './sign-in-flow.ts'

/** The settings of a provider that decide who vouches for people. */
const deciding = ['issuer', 'clientId', 'authorizationUrl', 'tokenUrl', 'userInfoUrl'] as const

/** Whether people can sign in by the provider. */
export function isForSignIn({ type }: LoginProvider): boolean {
  return type === 'oidc'
}

/** Tells who vouches for people by these settings of a provider from who does by others. */
export function authorityOf(
  secrets: Pick<Ports['secrets'], 'digest'>,
  { config }: Pick<LoginProvider, 'config'>,
): string {
  return secrets.digest(JSON.stringify(deciding.map((member) => config[member])))
}

/** Whether somebody signs in by the identity: its provider has the settings that it had when that was linked, and is there. */
export function isUsable(
  secrets: Pick<Ports['secrets'], 'digest'>,
  { authority, provider }: LinkedIdentity,
): boolean {
  return !provider.isInTrash && authority === authorityOf(secrets, provider)
}

/** What it takes to reach the provider. */
export function connectionOf(
  secrets: Pick<Ports['secrets'], 'unseal'>,
  provider: LoginProvider,
): OpenIdConnection {
  const clientSecret = openSecret(secrets, provider)
  if (clientSecret === undefined) {
    const message =
      'The secret of the login provider can not be read: an owner has to send it again'
    throw new DomainError('failed_dependency', message)
  }
  const settings = Object.fromEntries(
    deciding.map((member) => [member, provider.config[member] ?? '']),
  )
  return {
    ...(settings as Record<(typeof deciding)[number], string>),
    clientSecret,
    caller: provider.createdBy,
  }
}

/** What is asked of the provider in the flow. */
export function questionOf(
  { secrets, settings }: Pick<Ports, 'secrets' | 'settings'>,
  flow: SignInFlow,
): OpenIdQuestion {
  const redirectUri = `${requirePublicUrl(settings)}/api/auth/oidc/${flow.providerId}/callback`
  return { redirectUri, ...tiesOf(secrets, flow) }
}

/** Where browsers reach the service. No header of a request is believed: it would say where the answer goes. */
export function requirePublicUrl({ publicUrl }: Ports['settings']): string {
  if (publicUrl !== undefined) return publicUrl
  throw new DomainError(
    'restricted_resource',
    'Nobody signs in by a login provider here until the operator has set PUBLIC_URL, the address of this service',
  )
}
