import type { Mailer } from '../mail/mailer.ts'
import type { HumanCheck } from './human-check.ts'

/** What an instance asks of those who sign up. A check that is named is made, or nobody signs up. */
export interface SignUpPolicy {
  /** Makes sure that humans sign up; absent: not checked. */
  readonly humanCheck?: HumanCheck
  /** Mails codes that prove an address to be the caller's; absent: not checked. */
  readonly codeMailer?: Mailer
  /** Only with an invitation code; the first user of the instance, whom nobody can invite, needs none. */
  readonly inviteOnly: boolean
  /** Nobody signs up. */
  readonly closed: boolean
}

/** Everybody may sign up: the policy where none is configured. */
export const openSignUp: SignUpPolicy = { inviteOnly: false, closed: false }
