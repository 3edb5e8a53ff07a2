import { later, type Timestamp } from '../../clock.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Ports } from '../../ports.ts'
import type { WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import { reserveMail } from '../attempts/try-limits.ts'
import { alreadyRegistered } from '../users/user.ts'
import type { AddressCode } from './address-code.ts'
import type { Mail, Mailer } from './mailer.ts'

type Context = CallContext & Pick<Ports, 'store' | 'secrets'>

const minuteMs = 60_000

/** What a code is for: one that was mailed for one purpose is good for no other. */
type CodePurpose =
  | { readonly kind: 'sign-up' }
  /** Of the user who wants the address to be theirs. */
  | { readonly kind: 'change-email'; readonly userId: string }

/** Mails a new code to an address that has no account yet. It counts once it is kept. */
export async function mailCode(
  { store, secrets, now, origin }: Context,
  mailer: Mailer,
  { email, purpose }: { readonly email: string; readonly purpose: CodePurpose },
): Promise<MailedCode> {
  await store.write(async (tx) => {
    const holder = await tx.users.findByEmail(email)
    if (holder) throw alreadyRegistered(email, adviceFor(purpose, holder.id))
    await reserveMail({ tx, secrets, now, origin, email })
  })
  const digits = secrets.code(limits.mailedCodeDigits)
  const token = secrets.token()
  const expiresTime = later(now, limits.mailedCodeMinutes * minuteMs)
  await mailer.send({ to: email, ...wordsOf[purpose.kind](digits) })
  return {
    code: {
      tokenHash: secrets.digest(token),
      email,
      codeHash: hashCode(secrets, purpose, token, digits),
      triesLeft: limits.mailedCodeTries,
      expiresTime,
    },
    answer: { token, expiresTime },
  }
}

const valid = `It is valid for ${limits.mailedCodeMinutes} minutes.`

const wordsOf: Readonly<
  Record<CodePurpose['kind'], (digits: string) => Pick<Mail, 'subject' | 'text'>>
> = {
  'sign-up': (digits) => ({
    subject: `Your sign-up code: ${digits}`,
    text: `Your sign-up code is ${digits}. ${valid}\n\nIf you have not signed up, ignore this mail: without the code nobody can sign up with your address.\n`,
  }),
  'change-email': (digits) => ({
    subject: `Your code to change the address: ${digits}`,
    text: `Your code is ${digits}. It makes this the e-mail address of your account. ${valid}\n\nIf you have not asked for it, ignore this mail: without the code nobody can take your address.\n`,
  }),
}

/**
 * Checks a code against the address it was mailed to. The try is counted first, so that tries at the
 * same time can't pass the limit. `invalid_captcha` when it is wrong. What it is for spends it.
 */
export async function proveAddress(
  { store, secrets, now }: Context,
  { email, purpose }: { readonly email: string; readonly purpose: CodePurpose },
  { code, token }: { readonly code: string; readonly token: string },
): Promise<void> {
  const tokenHash = secrets.digest(token)
  const codeHash = await store.write((tx) => tx.addressCodes.takeTry(tokenHash, email, now))
  if (!secrets.equal(codeHash ?? '', hashCode(secrets, purpose, token, code))) {
    throw wrongCode()
  }
}

/**
 * Spends a code that was checked, in the transaction of what it is for: so it is good for nothing once it has served, even where the
 * address is free again, and stays good where nothing comes of it. `invalid_captcha` when another call was first.
 */
export async function spendCode(
  { tx, secrets }: Pick<Ports, 'secrets'> & { readonly tx: WriteTx },
  token: string,
): Promise<void> {
  if (!(await tx.addressCodes.delete(secrets.digest(token)))) throw wrongCode()
}

function wrongCode(): DomainError {
  return new DomainError(
    'invalid_captcha',
    'The verification code is wrong or no longer valid: ask for a new one',
  )
}

function hashCode(
  secrets: Ports['secrets'],
  purpose: CodePurpose,
  token: string,
  code: string,
): string {
  const of = purpose.kind === 'sign-up' ? ['sign-up code'] : ['change-email code', purpose.userId]
  return secrets.sign(JSON.stringify([...of, token, code]))
}

/** A code on its way: what to keep, and the token by which its receiver names it. */
export interface MailedCode {
  readonly code: AddressCode
  readonly answer: { readonly token: string; readonly expiresTime: Timestamp }
}

function adviceFor(purpose: CodePurpose, holderId: string): string {
  if (purpose.kind === 'sign-up') return 'sign in instead'
  return purpose.userId === holderId
    ? 'it is the address of your account'
    : 'choose another address, or sign in to the account that has this one'
}
