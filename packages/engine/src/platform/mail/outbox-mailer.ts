import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mail, Mailer } from '@gateleg/domain/accounts/mail/mailer'
import { DomainError } from '@gateleg/domain/errors'
import { createTransport } from 'nodemailer'
import { inFolder } from '../blobs/incoming-folder.ts'

export interface OutboxOptions {
  /** The folder of the mails, which is made where it isn't there. */
  readonly folder: string
  /** The sender: an address, or a name and an address. */
  readonly from: string
}

/** Writes each mail to a file of its own instead of sending it: for who develops or tries something without a mail server. */
export class OutboxMailer implements Mailer {
  readonly #options: OutboxOptions
  readonly #transport = createTransport({ streamTransport: true, buffer: true })

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /** Makes the folder, for its owner alone; throws where mails can't be written into it. For the start of a program. */
  async makeFolder(): Promise<void> {
    const { folder } = this.#options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
  }

  async send({ to, subject, text }: Mail): Promise<void> {
    const { folder, from } = this.#options
    try {
      const receiver = { name: '', address: to }
      const { message } = await this.#transport.sendMail({ from, to: receiver, subject, text })
      const time = new Date().toISOString().replaceAll(':', '-')
      const file = join(folder, `${time}-${randomBytes(4).toString('hex')}.eml`)
      await inFolder(folder, () => writeWhole(file, readable(String(message), text)))
    } catch (cause) {
      const message = 'The mail could not be written to the outbox: try again in a while'
      const error = new DomainError('failed_dependency', message)
      error.cause = cause
      throw error
    }
  }
}

/** Whoever waits for a mail finds whole ones only. Codes and tokens are in it, as in any mail. */
async function writeWhole(file: string, mail: string): Promise<void> {
  const part = `${file}.part`
  try {
    await writeFile(part, mail, { mode: 0o600, flag: 'wx' })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** The mail with its text as it is: as mail servers want it, links and tokens are broken by ends of lines. */
function readable(message: string, text: string): string {
  const head = message.slice(0, message.indexOf('\r\n\r\n'))
  const plain = head.replace(/^(Content-Transfer-Encoding): .*$/m, '$1: 8bit')
  return `${plain}\r\n\r\n${text.replaceAll(/\r?\n/g, '\r\n')}\r\n`
}
