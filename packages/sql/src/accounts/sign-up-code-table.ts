import type { SignUpCode } from '@gateleg/domain/accounts/sign-up-code'
import { columnsFor, type RowOf } from '../core/table-columns.ts'

/** The columns of `sign_up_codes`. */
export const signUpCodeColumns = columnsFor<SignUpCode>()({
  tokenHash: 'token_hash',
  email: 'email',
  codeHash: 'code_hash',
  triesLeft: 'tries_left',
  expiresTime: 'expires_time',
})

/** A row of `sign_up_codes`. */
export type SignUpCodeRow = RowOf<typeof signUpCodeColumns>
