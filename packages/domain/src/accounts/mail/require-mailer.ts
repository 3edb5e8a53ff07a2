import { DomainError } from '../../errors.ts'
import type { MailSettings } from './mail-settings.ts'
import type { Mailer } from './mailer.ts'

/** What sends mail; `restricted_resource` where nothing does. */
export function requireMailer({ mailer }: MailSettings): Mailer {
  if (mailer) return mailer
  throw new DomainError(
    'restricted_resource',
    'This instance sends no mail: ask its operator for help',
  )
}
