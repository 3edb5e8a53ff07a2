import type { MailSettings } from '@gateleg/domain/accounts/mail/mail-settings'
import { limits } from '@gateleg/domain/limits'
import { toSafeListener } from './background-errors.ts'

/** The mails that are being handed to the mail server: no caller waits for them, but the engine does when it closes. */
export class MailsUnderWay {
  readonly #sent = new Set<Promise<void>>()

  /**
   * The settings with a mailer that counts its mails here. A mail that fails is reported to `onError` where the settings have no
   * `onFailure`; one that throws ends nothing.
   */
  counted(settings: MailSettings, onError: (error: unknown) => void): MailSettings {
    const { mailer, publicUrl } = settings
    if (!mailer) return settings
    // A program's settings may be an object of a class, of which a copy has no getters.
    return {
      mailer: { send: (mail) => this.#count(async () => mailer.send(mail)) },
      ...(publicUrl !== undefined && { publicUrl }),
      onFailure: toSafeListener((error) =>
        settings.onFailure ? settings.onFailure(error) : onError(error),
      ),
    }
  }

  /** Waits until all are handed over or have failed, as long as one may take; answers how many are under way after that. */
  async end(): Promise<number> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limits.mailSeconds * 1_000)
    })
    await Promise.race([Promise.allSettled(this.#sent), late])
    clearTimeout(timer)
    return this.#sent.size
  }

  async #count(send: () => Promise<void>): Promise<void> {
    const sending = send()
    this.#sent.add(sending)
    try {
      await sending
    } finally {
      this.#sent.delete(sending)
    }
  }
}
