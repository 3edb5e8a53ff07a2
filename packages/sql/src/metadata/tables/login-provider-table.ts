import type { LoginProvider } from '@gateleg/domain/login-providers/login-provider'
import { json } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `login_providers`. */
export const loginProviderColumns = columnsFor<LoginProvider>()({
  id: 'id',
  spaceId: 'space_id',
  type: 'type',
  name: 'name',
  config: json('config'),
  sealed: 'sealed',
  createdBy: 'created_by',
  createdTime: 'created_time',
  version: 'version',
})

/** A row of `login_providers`. */
export type LoginProviderRow = RowOf<typeof loginProviderColumns>
