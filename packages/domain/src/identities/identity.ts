import { z } from 'zod'
import type { Timestamp } from '../clock.ts'
import type { LoginProvider } from '../login-providers/login-provider.ts'

/** Who vouches for somebody: a provider, as long as it is what it was. */
export interface Voucher {
  readonly providerId: string
  /** Tells the provider's settings from others: whoever changes them makes another voucher of it. */
  readonly authority: string
}

/** An account elsewhere by which a user signs in. */
export interface Identity extends Voucher {
  readonly id: string
  readonly userId: string
  /** The space of the provider. */
  readonly spaceId: string
  /** What the provider calls the user, for ever, whatever becomes of name and address there. */
  readonly subject: string
  readonly createdTime: Timestamp
}

/** An identity, with what its provider is now. */
export interface LinkedIdentity extends Identity {
  readonly provider: Pick<LoginProvider, 'name' | 'config'> & {
    /** Whether its space is in the trash: nobody signs in by it meanwhile. */
    readonly isInTrash: boolean
  }
}

/** An identity as its user sees it. */
export const identityOutput = z
  .object({
    id: z.string().describe('The id of the identity'),
    providerId: z.string().describe('The login provider'),
    providerName: z.string().describe('What the provider is called'),
    subject: z.string().describe('What the provider calls the user'),
    createdTime: z.string().describe('When it was linked'),
    isUsable: z
      .boolean()
      .describe(
        'Whether the user signs in by it: not while the provider has other settings than it had then, or its space is in the trash',
      ),
  })
  .meta({ id: 'Identity' })
