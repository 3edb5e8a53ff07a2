import { later, type Timestamp } from '../clock.ts'
import { DomainError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Ports } from '../ports.ts'
import type { CallContext } from '../use-case.ts'
import type { Mailer } from './mailer.ts'
import type { SignUpCode } from './sign-up-code.ts'
import { reserveMail } from './try-limits.ts'
import { alreadyRegistered } from './user.ts'

type Context = CallContext & Pick<Ports, 'store' | 'secrets'>

const minuteMs = 60_000

/** Mails a new code to an address that has no account yet. It counts once it is kept. */
export async function mailCode(
  { store, secrets, now, origin }: Context,
  mailer: Mailer,
  email: string,
): Promise<MailedCode> {
  await store.write(async (tx) => {
    if (await tx.users.findByEmail(email)) throw alreadyRegistered(email)
    await reserveMail({ tx, secrets, now, origin, email })
  })
  const digits = secrets.code(limits.signUpCodeDigits)
  const token = secrets.token()
  const expiresTime = later(now, limits.signUpCodeMinutes * minuteMs)
  await mailer.send({
    to: email,
    subject: `Your sign-up code: ${digits}`,
    text: `Your sign-up code is ${digits}. It is valid for ${limits.signUpCodeMinutes} minutes.\n\nIf you have not signed up, ignore this mail: without the code nobody can sign up with your address.\n`,
  })
  return {
    code: {
      tokenHash: secrets.digest(token),
      email,
      codeHash: hashCode(secrets, token, digits),
      triesLeft: limits.signUpCodeTries,
      expiresTime,
    },
    answer: { token, expiresTime },
  }
}

/**
 * Checks a code against the address it was mailed to. The try is counted first, so that tries at the
 * same time can't pass the limit. `invalid_captcha` when it is wrong. Once it has signed its receiver up
 * it is good for nothing any more, since the address is taken.
 */
export async function proveAddress(
  { store, secrets, now }: Context,
  email: string,
  { code, token }: { readonly code: string; readonly token: string },
): Promise<void> {
  const tokenHash = secrets.digest(token)
  const codeHash = await store.write((tx) => tx.signUpCodes.takeTry(tokenHash, email, now))
  if (!secrets.equal(codeHash ?? '', hashCode(secrets, token, code))) {
    throw new DomainError(
      'invalid_captcha',
      'The verification code is wrong or no longer valid: ask for a new one',
    )
  }
}

function hashCode(secrets: Ports['secrets'], token: string, code: string): string {
  return secrets.sign(JSON.stringify(['sign-up code', token, code]))
}

/** A code on its way: what to keep, and the token by which its receiver names it. */
export interface MailedCode {
  readonly code: SignUpCode
  readonly answer: { readonly token: string; readonly expiresTime: Timestamp }
}
