import type { Mail, Mailer } from '@gateleg/domain/accounts/mail/mailer'
import { DomainError } from '@gateleg/domain/errors'

/** Keeps the mails it is given, up to the one that fails. */
export class KeptMail implements Mailer {
  readonly mails: Mail[] = []
  failsAfter = Number.POSITIVE_INFINITY

  async send(mail: Mail): Promise<void> {
    if (this.mails.length >= this.failsAfter) {
      throw new DomainError('failed_dependency', 'out of reach')
    }
    this.mails.push(mail)
  }

  /** The token in the newest mail to the address. */
  tokenOf(email: string): string {
    const mail = this.mails.findLast(({ to }) => to === email)
    return /^[0-9A-Za-z_-]{30,}$/m.exec(mail?.text ?? '')?.[0] ?? ''
  }

  /** The code of six digits in the newest mail; empty when there is none. */
  get code(): string {
    return /\b\d{6}\b/.exec(this.mails.at(-1)?.text ?? '')?.[0] ?? ''
  }
}
