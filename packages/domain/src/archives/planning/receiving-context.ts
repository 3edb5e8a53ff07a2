import type { Ports } from '../../ports.ts'
import type { CallContext } from '../../use-case.ts'
import type { IdHere } from './ids-here.ts'

/** What receiving an archive takes. */
export interface ReceivingContext
  extends Pick<Ports, 'store' | 'blobs' | 'secrets' | 'settings'>,
    Pick<CallContext, 'actor' | 'now' | 'ids' | 'plans'> {
  readonly userId: string
  /** The base that is made of the archive; nobody sees it yet. */
  readonly baseId: string
  /** The space that it is to be in. */
  readonly spaceId: string
  readonly idHere: IdHere
  /** Whether all keeps the ids that it has in the archive, and files their tokens. */
  readonly keepsIds: boolean
}
