import type { Role } from '../../access/roles.ts'
import { linkTo } from '../../accounts/mail/mail-settings.ts'
import type { Mail } from '../../accounts/mail/mailer.ts'
import { limits } from '../../limits.ts'

/** What an invitation by mail says. */
interface InvitationWords {
  readonly email: string
  readonly token: string
  readonly role: Role
  readonly kind: 'space' | 'base'
  /** The inviter's address; undefined for somebody without one. */
  readonly inviter: string | undefined
}

/**
 * The mail of an invitation. It holds nothing that its inviter could word, no names of people or places:
 * anybody who signs up could have the instance send their own text to anybody. The token stands behind the
 * `#` of the link, which browsers send to no server.
 */
export function toInvitationMail(
  { email, token, role, kind, inviter }: InvitationWords,
  publicUrl: string | undefined,
): Mail {
  const link = publicUrl === undefined ? [] : [linkTo(publicUrl, `invitation=${token}`), '']
  return {
    to: email,
    subject: `Invitation to a ${kind}`,
    text: [
      `${inviter ?? 'Somebody'} invites you to collaborate in a ${kind}, with the role "${role}".`,
      '',
      `Sign up or in with this address (${email}), and accept within ${limits.invitationDays} days with this token:`,
      '',
      token,
      '',
      ...link,
      'If you do not know who invites you, ignore this mail. Do not pass it on.',
      '',
    ].join('\n'),
  }
}
