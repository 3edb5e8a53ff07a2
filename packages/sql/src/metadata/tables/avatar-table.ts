import type { StoredAvatar } from '@gateleg/domain/accounts/users/avatar-repository'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `avatars`. */
export const avatarColumns = columnsFor<StoredAvatar>()({
  id: 'id',
  userId: 'user_id',
  path: 'path',
  size: 'size',
})

/** A row of `avatars`. */
export type AvatarRow = RowOf<typeof avatarColumns>
