import { z } from 'zod'
import type { Timestamp } from '../clock.ts'
import type { ProviderType } from './provider-config.ts'

/** A service by which people of a space sign in. */
export interface LoginProvider {
  readonly id: string
  readonly spaceId: string
  readonly type: ProviderType
  readonly name: string
  /** All of its configuration but the secret. */
  readonly config: Readonly<Record<string, string>>
  /** The secret, sealed under the instance key together with the id: a copy in another row says nothing. */
  readonly sealed: string
  readonly createdBy: string
  readonly createdTime: Timestamp
  /** Counts its changes. */
  readonly version: number
}

/** A provider as owners see it, its secret masked. */
export const loginProviderOutput = z
  .object({
    id: z.string().describe('The id of the provider'),
    type: z.string().describe('Which kind of service it is'),
    name: z.string().describe('What people see of it'),
    config: z
      .record(z.string(), z.string())
      .describe('How it is reached; asterisks stand in the place of the secret'),
  })
  .meta({ id: 'LoginProvider' })
