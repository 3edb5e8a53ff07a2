import type { User } from '@gateleg/domain/accounts/users/user'
import { flag, optional, optionalJson } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `users`. */
export const userColumns = columnsFor<User>()({
  id: 'id',
  name: 'name',
  email: 'email',
  isEmailVerified: flag('email_verified'),
  passwordHash: optional('password_hash'),
  isAdmin: flag('is_admin'),
  avatar: optional('avatar'),
  phone: optional('phone'),
  lang: optional('lang'),
  signsIn: flag('signs_in'),
  notifyByEmail: flag('notify_by_email'),
  refMeta: optionalJson('ref_meta'),
  createdTime: 'created_time',
  deletedTime: optional('deleted_time'),
  version: 'version',
})

/** A row of `users`. */
export type UserRow = RowOf<typeof userColumns>
