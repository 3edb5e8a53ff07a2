import type { Session } from '@gateleg/domain/accounts/sessions/session'
import { optional } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `sessions`. */
export const sessionColumns = columnsFor<Session>()({
  id: 'id',
  userId: 'user_id',
  tokenHash: 'token_hash',
  address: optional('address'),
  userAgent: optional('user_agent'),
  createdTime: 'created_time',
  expiresTime: 'expires_time',
})

/** A row of `sessions`. */
export type SessionRow = RowOf<typeof sessionColumns>
