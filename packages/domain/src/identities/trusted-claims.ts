import { ownEmailSchema } from '../accounts/users/email.ts'
import type { LoginProvider } from '../login-providers/login-provider.ts'
import type { Settings } from '../settings.ts'
import type { OpenIdClaims } from './open-id-client.ts'

/** The e-mail address that the provider says it has verified; undefined where it says none, or one that no account can have. */
export function verifiedEmailOf({
  email: sent,
  isEmailVerified,
}: OpenIdClaims): string | undefined {
  return isEmailVerified ? ownEmailSchema.safeParse(sent).data : undefined
}

/**
 * Whether what is said of the address is as good as a mailed code (IDENTITY-24). The client has to be named, not the issuer alone:
 * whoever has a client of their own there could have people sign in to it, and bring their answers here.
 */
export function isTrusted(
  { trustedLoginClients = [] }: Pick<Settings, 'trustedLoginClients'>,
  { config }: Pick<LoginProvider, 'config'>,
  { isFromIssuer = false }: Pick<OpenIdClaims, 'isFromIssuer'>,
): boolean {
  const isNamed = trustedLoginClients.some(
    ({ issuer, clientId }) => issuer === config.issuer && clientId === config.clientId,
  )
  return isNamed && isFromIssuer
}
