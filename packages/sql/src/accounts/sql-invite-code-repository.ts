import type {
  InviteCode,
  InviteCodeRepository,
} from '@gateleg/domain/accounts/sign-up/invite-code-repository'
import { prepared } from '../core/database.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { inviteCodeColumns } from '../metadata/tables/invite-code-table.ts'

const insert = insertInto('invite_codes', inviteCodeColumns)

const takeUse = prepared<{ codeHash: string }, unknown>((db, value) =>
  db
    .updateTable('invite_codes')
    .set((eb) => ({ uses_left: eb('uses_left', '-', 1) }))
    .where('code_hash', '=', value('codeHash'))
    .where('uses_left', '>', 0),
)

export class SqlInviteCodeRepository implements InviteCodeRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async insert(code: InviteCode): Promise<void> {
    await this.#session.run(insert, inviteCodeColumns.toRow(code))
  }

  async takeUse(codeHash: string): Promise<boolean> {
    return (await this.#session.run(takeUse, { codeHash })) > 0
  }
}
