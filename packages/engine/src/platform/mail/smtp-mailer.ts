import type { Mail, Mailer } from '@gateleg/domain/accounts/mail/mailer'
import { DomainError } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { createTransport, type Transporter } from 'nodemailer'

export interface SmtpOptions {
  readonly host: string
  readonly port: number
  /** Encrypted from the first byte, as on port 465; else by STARTTLS where the server offers it. */
  readonly secure?: boolean
  /** Sends nothing over a connection that is not encrypted. */
  readonly requireTls?: boolean
  readonly user?: string
  readonly password?: string
  /** The sender: an address, or a name and an address. */
  readonly from: string
  /** Milliseconds that the server may be silent. */
  readonly timeoutMs?: number
  /** Milliseconds that all of a mail may take, however little the server says at a time. */
  readonly totalMs?: number
}

const defaultTimeoutMs = 10_000

/** Sends mail by SMTP, with one connection for each mail. */
export class SmtpMailer implements Mailer {
  readonly #transport: Transporter
  readonly #from: string
  readonly #totalMs: number

  constructor(options: SmtpOptions) {
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
    this.#from = options.from
    this.#totalMs = options.totalMs ?? limits.mailSeconds * 1_000
    this.#transport = createTransport({
      host: options.host,
      port: options.port,
      secure: options.secure ?? options.port === 465,
      requireTLS: options.requireTls ?? false,
      ...(options.user !== undefined && {
        auth: { user: options.user, pass: options.password ?? '' },
      }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  async send({ to, subject, text }: Mail): Promise<void> {
    try {
      // The address as an object: it is one address, never parsed as a list of them.
      await this.#transport.sendMail({
        from: this.#from,
        to: { name: '', address: to },
        subject,
        text,
        signal: AbortSignal.timeout(this.#totalMs),
      })
    } catch (cause) {
      const error = new DomainError(
        'failed_dependency',
        'The mail could not be sent: check the address, or try again in a while',
      )
      error.cause = toCause(cause)
      throw error
    }
  }
}

/** What may stand in a log of a failure: a server that refuses a sign-in may repeat it, with the password. */
function toCause(failure: unknown): unknown {
  if (!(failure instanceof Error && 'code' in failure && failure.code === 'EAUTH')) return failure
  const status = 'responseCode' in failure ? ` (${failure.responseCode})` : ''
  const words = `The mail server did not take the user and the password${status}`
  return Object.assign(new Error(words), { code: failure.code })
}
