import type { Invitation } from '@gateleg/domain/collaborators/invitations/invitation'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `invitations`. */
export const invitationColumns = columnsFor<Invitation>()({
  tokenHash: 'token_hash',
  id: 'id',
  resourceType: 'resource_type',
  resourceId: 'resource_id',
  email: 'email',
  role: 'role',
  createdBy: 'created_by',
  createdTime: 'created_time',
  expiresTime: 'expires_time',
})

/** A row of `invitations`. */
export type InvitationRow = RowOf<typeof invitationColumns>
