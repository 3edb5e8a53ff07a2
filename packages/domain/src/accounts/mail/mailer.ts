/** A mail in plain text to one address. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends mail. */
export interface Mailer {
  /** Resolves when the mail was taken for delivery; `failed_dependency` when it was not. */
  send(mail: Mail): Promise<void>
}
