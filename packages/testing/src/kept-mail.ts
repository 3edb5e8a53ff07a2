import type { Mail, Mailer } from '@gateleg/domain/accounts/mailer'
import { DomainError } from '@gateleg/domain/errors'

/** Keeps the mails it is given, or refuses them. */
export class KeptMail implements Mailer {
  readonly mails: Mail[] = []
  isOutOfReach = false

  async send(mail: Mail): Promise<void> {
    if (this.isOutOfReach) throw new DomainError('failed_dependency', 'out of reach')
    this.mails.push(mail)
  }

  /** The code of six digits in the newest mail; empty when there is none. */
  get code(): string {
    return /\b\d{6}\b/.exec(this.mails.at(-1)?.text ?? '')?.[0] ?? ''
  }
}
