import type { InviteCode } from '@gateleg/domain/accounts/sign-up/invite-code-repository'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `invite_codes`. */
export const inviteCodeColumns = columnsFor<InviteCode>()({
  id: 'id',
  codeHash: 'code_hash',
  usesLeft: 'uses_left',
  createdBy: 'created_by',
  createdTime: 'created_time',
})

/** A row of `invite_codes`. */
export type InviteCodeRow = RowOf<typeof inviteCodeColumns>
