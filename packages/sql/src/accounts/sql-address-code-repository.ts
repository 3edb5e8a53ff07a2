import type { AddressCode } from '@gateleg/domain/accounts/mail/address-code'
import type { AddressCodeRepository } from '@gateleg/domain/accounts/mail/address-code-repository'
import { prepared } from '../core/database.ts'
import { deleteExpiredFrom, deleteFrom } from '../core/own-tables/delete-rows.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type AddressCodeRow, addressCodeColumns } from '../metadata/tables/address-code-table.ts'

const insert = insertInto('sign_up_codes', addressCodeColumns)

const takeTry = prepared<
  { tokenHash: string; email: string; now: string },
  Pick<AddressCodeRow, 'code_hash'>
>((db, value) =>
  db
    .updateTable('sign_up_codes')
    .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
    .where('token_hash', '=', value('tokenHash'))
    .where('email', '=', value('email'))
    .where('tries_left', '>', 0)
    .where('expires_time', '>', value('now'))
    .returning('code_hash'),
)

const remove = deleteFrom('sign_up_codes', 'token_hash')

const deleteExpired = deleteExpiredFrom('sign_up_codes')

export class SqlAddressCodeRepository implements AddressCodeRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async insert(code: AddressCode): Promise<void> {
    await this.#session.run(insert, addressCodeColumns.toRow(code))
  }

  async takeTry(tokenHash: string, email: string, now: string): Promise<string | undefined> {
    return (await this.#session.first(takeTry, { tokenHash, email, now }))?.code_hash
  }

  async delete(tokenHash: string): Promise<boolean> {
    return (await this.#session.run(remove, { id: tokenHash })) > 0
  }

  async deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(deleteExpired, { before, most })
  }
}
