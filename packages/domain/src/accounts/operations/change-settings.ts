import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import type { Timestamp } from '../../clock.ts'
import type { WriteTx } from '../../store.ts'
import { defineWrite } from '../../use-case.ts'
import { languageSchema } from '../../values/language-tag.ts'
import { onOwnAccount } from '../users/account-guard.ts'
import type { User } from '../users/user.ts'

interface Context {
  readonly tx: WriteTx
  readonly user: User
  readonly now: Timestamp
}

const access = onOwnAccount({ sessionOnly: true, lock: 'update' })

/** Notes in which language the caller wants to be addressed. Texts of the service itself are English. */
export const changeLanguage = defineWrite({
  summary: 'Change my language',
  input: z.object({
    lang: languageSchema.describe('A language tag (BCP 47), such as `de` or `pt-BR`'),
  }),
  output: noOutput,
  access,
  run: (context, { lang }) => change(context, { lang }),
})

/** Notes whether the caller wants notices by mail. Without the member nothing changes. */
export const changeNotices = defineWrite({
  summary: 'Change whether I want notices by mail',
  input: z.object({
    email: z.boolean().optional().describe('Whether notices are to come by mail'),
  }),
  output: noOutput,
  access,
  run: (context, { email }) =>
    change(context, { notifyByEmail: email ?? context.user.notifyByEmail }),
})

async function change(
  { tx, user, now }: Context,
  wanted: Partial<Pick<User, 'lang' | 'notifyByEmail'>>,
): Promise<void> {
  const changed = { ...user, ...wanted }
  if (changed.lang === user.lang && changed.notifyByEmail === user.notifyByEmail) return
  const { id: userId, version } = user
  await tx.users.update({ ...changed, version: version + 1 })
  tx.emit({ name: 'user.updated', time: now, userId, payload: { userId } })
}
