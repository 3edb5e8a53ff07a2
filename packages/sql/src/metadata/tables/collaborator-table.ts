import type { Collaborator } from '@gateleg/domain/collaborators/collaborator'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `collaborators`. */
export const collaboratorColumns = columnsFor<Collaborator>()({
  resourceType: 'resource_type',
  resourceId: 'resource_id',
  userId: 'user_id',
  role: 'role',
  createdBy: 'created_by',
  createdTime: 'created_time',
})

/** A row of `collaborators`. */
export type CollaboratorRow = RowOf<typeof collaboratorColumns>

/** A row of `former_roles`: where somebody had a role whose account has ended. */
export interface FormerRoleRow {
  user_id: string
  resource_id: string
}
