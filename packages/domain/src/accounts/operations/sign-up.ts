import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { mailCode, proveAddress, spendCode } from '../mail/mail-code.ts'
import { newPasswordSchema } from '../passwords/password.ts'
import { openSession } from '../sessions/open-session.ts'
import { admitSignUp } from '../sign-up/admit-sign-up.ts'
import { ownEmailSchema } from '../users/email.ts'
import { signedInUserOutput, toUserOutput } from '../users/user-output.ts'
import { addAccount, takeInvitation, toUserName } from './add-account.ts'

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
    const proof = codeMailer && verification
    if (proof) await proveAddress(context, address, proof)
    const passwordHash = await context.passwords.hash(password)
    return { account: { email, passwordHash, isEmailVerified: codeMailer !== undefined }, proof }
  },
  run: async (context, input) => {
    const { tx, ids, prepared, signUpPolicy } = context
    if (prepared.mailed) {
      await tx.addressCodes.insert(prepared.mailed.code)
      return new DomainError(
        'unprocessable_entity',
        'A verification code was mailed to the address: repeat the request with it',
        prepared.mailed.answer,
      )
    }
    if (prepared.proof) await spendCode(context, prepared.proof.token)
    const id = ids.next('user')
    const isAdmin = await tx.users.claimAdministration(id)
    if (signUpPolicy.inviteOnly && !isAdmin) await takeInvitation(context, input.inviteCode)
    const { email, refMeta } = input
    const user = await addAccount(
      context,
      { ...prepared.account, id, name: toUserName(email), isAdmin, refMeta },
      input.defaultSpaceName,
    )
    const accessToken = await openSession(context, id)
    return { ...toUserOutput(context, user), accessToken }
  },
})
