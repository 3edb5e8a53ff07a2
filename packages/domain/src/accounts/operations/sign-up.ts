import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { DomainError, invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Ports } from '../../ports.ts'
import { addSpace } from '../../spaces/add-space.ts'
import type { WriteTx } from '../../store.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { admitSignUp } from '../admit-sign-up.ts'
import { ownEmailSchema } from '../email.ts'
import { initialsAvatar } from '../initials-avatar.ts'
import { mailCode, proveAddress } from '../mail-code.ts'
import { openSession } from '../open-session.ts'
import { newPasswordSchema } from '../password.ts'
import type { User } from '../user.ts'
import { signedInUserOutput, toUserOutput } from '../user-output.ts'

const shortText = textUpTo(limits.shortTextLength)

/** Signs a new user up and in: an account, its first space and a session, or nothing of it. */
export const signUp = defineWrite({
  summary: 'Sign up',
  input: z.object({
    email: ownEmailSchema,
    password: newPasswordSchema,
    turnstileToken: shortText.optional(),
    defaultSpaceName: nameSchema.optional(),
    refMeta: z.object({ query: shortText.optional(), referer: shortText.optional() }).optional(),
    verification: z.object({ code: shortText, token: shortText }).optional(),
    inviteCode: shortText.optional(),
  }),
  output: signedInUserOutput,
  answers: 'secret',
  access: anyone(),
  needs: ['passwords', 'secrets', 'signUpPolicy'],
  prepare: async (context, { email, password, turnstileToken, verification }) => {
    await admitSignUp(context, turnstileToken)
    const { codeMailer } = context.signUpPolicy
    const address = { email, purpose: { kind: 'sign-up' } } as const
    if (codeMailer && !verification) return { mailed: await mailCode(context, codeMailer, address) }
    if (codeMailer && verification) await proveAddress(context, address, verification)
    return { passwordHash: await context.passwords.hash(password) }
  },
  run: async (context, input) => {
    const { tx, now, ids, prepared, signUpPolicy } = context
    if (prepared.mailed) {
      await tx.addressCodes.insert(prepared.mailed.code)
      return new DomainError(
        'unprocessable_entity',
        'A verification code was mailed to the address: repeat the request with it',
        prepared.mailed.answer,
      )
    }
    const id = ids.next('user')
    const isAdmin = await tx.users.claimAdministration(id)
    if (signUpPolicy.inviteOnly && !isAdmin) await takeInvitation(context, input.inviteCode)
    const name = toUserName(input.email)
    const user: User = {
      id,
      name,
      email: input.email,
      passwordHash: prepared.passwordHash,
      isAdmin,
      avatar: initialsAvatar({ id, name }),
      phone: undefined,
      lang: undefined,
      notifyByEmail: true,
      refMeta: input.refMeta,
      createdTime: now,
      version: 1,
    }
    await tx.users.insert(user)
    await addSpace(context, { userId: id, name: input.defaultSpaceName ?? toSpaceName(user.name) })
    const accessToken = await openSession(context, id)
    tx.emit({ name: 'user.signed_up', time: now, userId: id, payload: { userId: id } })
    return { ...toUserOutput(user), accessToken }
  },
})

async function takeInvitation(
  { tx, secrets }: Pick<Ports, 'secrets'> & { readonly tx: WriteTx },
  inviteCode: string | undefined,
): Promise<void> {
  if (inviteCode && (await tx.inviteCodes.takeUse(secrets.digest(inviteCode)))) return
  throw invalidAt(['inviteCode'], 'must be an invitation code that has a use left')
}

/** The local part of an address, which has one, as a name. */
function toUserName(email: string): string {
  return email.slice(0, email.lastIndexOf('@')).slice(0, limits.nameLength)
}

function toSpaceName(userName: string): string {
  const suffix = "'s space"
  return userName.slice(0, limits.nameLength - suffix.length) + suffix
}
