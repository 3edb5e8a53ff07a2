import type { UseCase } from '../../use-case.ts'
import { deleteClient, updateClient } from './change-client.ts'
import { createSecret, deleteSecret } from './change-secrets.ts'
import { createClient } from './create-client.ts'
import { getClient, listClients } from './list-clients.ts'

/** The use cases of OAuth apps, by name. */
export const oauthClientUseCases = {
  createClient,
  listClients,
  getClient,
  updateClient,
  deleteClient,
  createSecret,
  deleteSecret,
} as const satisfies Record<string, UseCase>
