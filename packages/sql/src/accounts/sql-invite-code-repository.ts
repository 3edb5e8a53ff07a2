import type {
  InviteCode,
  InviteCodeRepository,
} from '@gateleg/domain/accounts/invite-code-repository'
import { prepared } from '../core/database.ts'
import type { InviteCodeRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

const insert = prepared<InviteCodeRow, unknown>((db, value) =>
  db.insertInto('invite_codes').values({
    id: value('id'),
    code_hash: value('code_hash'),
    uses_left: value('uses_left'),
    created_by: value('created_by'),
    created_time: value('created_time'),
  }),
)

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
    await this.#session.run(insert, {
      id: code.id,
      code_hash: code.codeHash,
      uses_left: code.usesLeft,
      created_by: code.createdBy,
      created_time: code.createdTime,
    })
  }

  async takeUse(codeHash: string): Promise<boolean> {
    return (await this.#session.run(takeUse, { codeHash })) > 0
  }
}
