import type { Mailer } from './mailer.ts'

/** How the instance writes to people: invitations, forgotten passwords, other addresses. */
export interface MailSettings {
  /** Absent where no mail is sent. */
  readonly mailer?: Mailer
  /** Where callers reach the instance: mails then have links. */
  readonly publicUrl?: string
  /** Hears of a mail that could not be sent and for which no caller waits; for the log. */
  readonly onFailure?: (error: unknown) => void
}

/** No mail is sent: what holds where none is configured. */
export const noMail: MailSettings = {}

/** Has a mail sent without waiting for it: how long that takes, and whether it works, is not the caller's to know. */
export function sendUnawaited(
  { mailer, onFailure = () => {} }: MailSettings,
  mail: Parameters<Mailer['send']>[0],
): void {
  if (!mailer) return
  // One that throws at once fails as one does whose promise is rejected.
  const send = async () => mailer.send(mail)
  send().catch(onFailure)
}

/** The link of a mail, for those who read it in a browser. What is secret stands behind the `#`, which browsers send to no server. */
export function linkTo(publicUrl: string, fragment: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/#${fragment}`
}
