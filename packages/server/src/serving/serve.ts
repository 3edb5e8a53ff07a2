import type { MailSettings } from '@gateleg/domain/accounts/mail/mail-settings'
import type { Mailer } from '@gateleg/domain/accounts/mail/mailer'
import type { SignUpPolicy } from '@gateleg/domain/accounts/sign-up/sign-up-policy'
import { openEngine } from '@gateleg/engine/open-engine'
import { WebOpenIdClient } from '@gateleg/engine/platform/open-id/web-open-id-client'
import { WebFileFetcher } from '@gateleg/engine/platform/web-files/web-file-fetcher'
import { createHttpApp, listen } from '@gateleg/http-express'
import { openCatalogue } from '../configuration/catalogue-file.ts'
import { type Configuration, ConfigurationError } from '../configuration/configuration.ts'
import { toListenError } from '../configuration/operator-errors.ts'
import { toSettings } from '../configuration/to-settings.ts'
import { openBlobStore } from '../opening/open-blob-store.ts'
import { openingStorage } from '../opening/opening-storage.ts'
import { openLog } from './open-log.ts'

/** A workspace that is served, until it is closed. */
export interface RunningServer {
  /** Where it listens. */
  readonly url: string
  /** How many accounts there were at the start. */
  readonly accounts: number
  /** Reads the file of the catalogue again; undefined where there is none. Never throws. */
  readonly reload: (() => void) | undefined
  /** Answers what is under way, then lets go of the data. Never throws. */
  close(): Promise<void>
}

/** Milliseconds that requests under way have left when the server ends. */
const closingMs = 10_000

/** Opens the configured storage and serves its workspace. */
export async function serve(configuration: Configuration): Promise<RunningServer> {
  const { host, port, logLevel } = configuration
  const log = openLog(logLevel)
  const { logger } = log
  const warn = (sentence: string) => logger.warn(sentence)
  const mailer = await openMailer(configuration, warn)
  const catalogue = openCatalogue(configuration.billingCatalogue, logger)
  const ports = {
    plans: catalogue.plans,
    settings: toSettings(configuration),
    blobs: await openBlobStore(configuration, warn),
    fileFetcher: new WebFileFetcher({ allow: configuration.fetchNetworks ?? [] }),
    openIdClient: new WebOpenIdClient({ allow: configuration.fetchNetworks ?? [] }),
    signUpPolicy: await toSignUpPolicy(configuration, mailer),
    mail: toMailSettings(configuration, mailer, (err) => logger.error({ err }, 'mail not sent')),
  }
  const engine = await openingStorage(configuration, warn, (storage) =>
    openEngine({
      ...storage,
      ports,
      onBackgroundError: (err) => logger.error({ err }, 'background work'),
    }),
  )
  try {
    const app = createHttpApp(engine, { logger, ...toHttpOptions(configuration) })
    const accounts = await engine.countAccounts()
    const onError = (err: unknown) => logger.error({ err }, 'a connection could not be taken')
    const isProxy = (address: string) => app.isTrustedProxy(address)
    const server = await listen({ app, host, port, asksForBodies: true, onError, isProxy })
    return {
      url: server.url,
      accounts,
      reload: catalogue.reload,
      close: async () => {
        await server.close(closingMs)
        // What was answered is kept: a storage that can't be let go of in order is nothing to end with an error for.
        await engine.close().catch((err: unknown) => logger.error({ err }, 'not closed in order'))
        log.close()
      },
    }
  } catch (error) {
    await engine.close()
    log.close()
    throw toListenError(error, { host, port })
  }
}

function toHttpOptions(configuration: Configuration) {
  const { publicUrl, callLimits, trustedProxies, bodyBytesAtOnce, pluginFrameOrigins } =
    configuration
  return {
    callLimits,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(trustedProxies && { trustedProxies }),
    ...(pluginFrameOrigins && { pluginFrameOrigins }),
    ...(bodyBytesAtOnce !== undefined && { bodies: { bytesAtOnce: bodyBytesAtOnce } }),
  }
}

/** Loads what it takes only where it is configured: most instances need none of it. */
async function toSignUpPolicy(
  { signUp, turnstile }: Configuration,
  mailer: Mailer | undefined,
): Promise<SignUpPolicy> {
  const { closed, inviteOnly, verifyEmail } = signUp
  return {
    closed,
    inviteOnly,
    ...(turnstile && { humanCheck: await openTurnstile(turnstile) }),
    ...(verifyEmail && mailer && { codeMailer: mailer }),
  }
}

function toMailSettings(
  { publicUrl }: Configuration,
  mailer: Mailer | undefined,
  onFailure: (error: unknown) => void,
): MailSettings {
  return { ...(mailer && { mailer }), ...(publicUrl !== undefined && { publicUrl }), onFailure }
}

async function openTurnstile(options: NonNullable<Configuration['turnstile']>) {
  const { TurnstileHumanCheck } = await import('@gateleg/engine/turnstile')
  return new TurnstileHumanCheck(options)
}

async function openMailer(
  { smtp, mailOutbox }: Configuration,
  warn: (sentence: string) => void,
): Promise<Mailer | undefined> {
  if (smtp) {
    const { SmtpMailer } = await import('@gateleg/engine/smtp')
    return new SmtpMailer(smtp)
  }
  if (!mailOutbox) return undefined
  const { OutboxMailer } = await import('@gateleg/engine/mail-outbox')
  const mailer = new OutboxMailer(mailOutbox)
  const { folder } = mailOutbox
  await mailer.makeFolder().catch((error: Error) => {
    throw new ConfigurationError([
      `MAIL_OUTBOX must name a folder that files can be written to, and "${folder}" is none (${error.message}).`,
    ])
  })
  warn(`No mail is sent: all are written to files in ${folder} (MAIL_OUTBOX).`)
  return mailer
}
