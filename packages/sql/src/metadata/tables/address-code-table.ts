import type { AddressCode } from '@gateleg/domain/accounts/mail/address-code'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `sign_up_codes`. */
export const addressCodeColumns = columnsFor<AddressCode>()({
  tokenHash: 'token_hash',
  email: 'email',
  codeHash: 'code_hash',
  triesLeft: 'tries_left',
  expiresTime: 'expires_time',
})

/** A row of `sign_up_codes`. */
export type AddressCodeRow = RowOf<typeof addressCodeColumns>
