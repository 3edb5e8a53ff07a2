import type { UseCase } from '../../use-case.ts'
import { createTokens } from './create-tokens.ts'
import { decideAuthorization, getAuthorization } from './decide-authorization.ts'
import { listAuthorizedClients, revokeClientAccess } from './list-authorized-clients.ts'
import { revokeToken } from './revoke-token.ts'
import { startAuthorization } from './start-authorization.ts'

/** The use cases of what users let OAuth apps do, by name. */
export const oauthGrantUseCases = {
  startAuthorization,
  getAuthorization,
  decideAuthorization,
  createTokens,
  revokeToken,
  listAuthorizedClients,
  revokeClientAccess,
} as const satisfies Record<string, UseCase>
