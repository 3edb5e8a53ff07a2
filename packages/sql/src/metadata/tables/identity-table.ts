import type { Identity } from '@gateleg/domain/identities/identity'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `identities`. */
export const identityColumns = columnsFor<Identity>()({
  id: 'id',
  userId: 'user_id',
  providerId: 'provider_id',
  spaceId: 'space_id',
  authority: 'authority',
  subject: 'subject',
  createdTime: 'created_time',
})

/** A row of `identities`. */
export type IdentityRow = RowOf<typeof identityColumns>
