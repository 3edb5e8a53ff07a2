import type { InvitationLink } from '@gateleg/domain/invitation-links/invitation-link'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `invitation_links`. */
export const invitationLinkColumns = columnsFor<InvitationLink>()({
  id: 'id',
  resourceType: 'resource_type',
  resourceId: 'resource_id',
  role: 'role',
  createdBy: 'created_by',
  createdTime: 'created_time',
  expiresTime: 'expires_time',
  joined: 'joined',
})

/** A row of `invitation_links`. */
export type InvitationLinkRow = RowOf<typeof invitationLinkColumns>
