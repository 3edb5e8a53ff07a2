import type { SignUpCode } from '@gateleg/domain/accounts/sign-up-code'
import type { SignUpCodeRepository } from '@gateleg/domain/accounts/sign-up-code-repository'
import { prepared } from '../core/database.ts'
import type { SignUpCodeRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

const insert = prepared<SignUpCodeRow, unknown>((db, value) =>
  db.insertInto('sign_up_codes').values({
    token_hash: value('token_hash'),
    email: value('email'),
    code_hash: value('code_hash'),
    tries_left: value('tries_left'),
    expires_time: value('expires_time'),
  }),
)

const takeTry = prepared<
  { tokenHash: string; email: string; now: string },
  Pick<SignUpCodeRow, 'code_hash'>
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

const deleteExpired = prepared<{ before: string; most: number }, unknown>((db, value) =>
  db
    .deleteFrom('sign_up_codes')
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('sign_up_codes')
        .select('token_hash')
        .where('expires_time', '<', value('before'))
        .orderBy('expires_time')
        .limit(value('most')),
    ),
)

export class SqlSignUpCodeRepository implements SignUpCodeRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async insert(code: SignUpCode): Promise<void> {
    await this.#session.run(insert, {
      token_hash: code.tokenHash,
      email: code.email,
      code_hash: code.codeHash,
      tries_left: code.triesLeft,
      expires_time: code.expiresTime,
    })
  }

  async takeTry(tokenHash: string, email: string, now: string): Promise<string | undefined> {
    return (await this.#session.first(takeTry, { tokenHash, email, now }))?.code_hash
  }

  async deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(deleteExpired, { before, most })
  }
}
