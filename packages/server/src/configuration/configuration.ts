import type { TrustedLoginClient } from '@gateleg/domain/settings'
import type { OutboxOptions } from '@gateleg/engine/mail-outbox'
import type { S3Options } from '@gateleg/engine/platform/s3/s3-options'
import type { SmtpOptions } from '@gateleg/engine/smtp'
import type { TurnstileOptions } from '@gateleg/engine/turnstile'
import type { CallLimitOptions } from '@gateleg/http-express'
import { type Variables, variableNames, variables, variablesOfRotation } from './variables.ts'

/** What the operator decides, read from the environment. */
export interface Configuration {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** Undefined for SQLite in the data directory. */
  readonly database: DatabaseAddress | undefined
  /** Without a slash at the end. */
  readonly publicUrl: string | undefined
  /** Undefined for the one that is kept in the data directory, or in the database. */
  readonly instanceKey: string | undefined
  /** The key that the data are to have in the place of `instanceKey`. */
  readonly newInstanceKey: string | undefined
  readonly logLevel: string
  readonly maxFolderDepth: number | undefined
  /** Bytes that one file may have. */
  readonly maxAttachmentBytes: number | undefined
  /** Seconds for which the URL of a file leads to it. */
  readonly attachmentUrlSeconds: number | undefined
  /** Networks beside the public ones from which files are fetched; undefined for none. */
  readonly fetchNetworks: readonly string[] | undefined
  /** Days for which it is kept who changed which cell; 0 for not at all. */
  readonly recordHistoryDays: number | undefined
  readonly trashRetentionDays: number | undefined
  /** How often callers may call; what is not given is as shipped. */
  readonly callLimits: Partial<CallLimitOptions>
  /** Addresses and networks of proxies; undefined for none. */
  readonly trustedProxies: readonly string[] | undefined
  /** Origins whose pages may frame the plugins that ship; undefined for none but the own one. */
  readonly pluginFrameOrigins: readonly string[] | undefined
  /** Clients of login providers that are believed what they tell of addresses; undefined for none. */
  readonly trustedLoginClients: readonly TrustedLoginClient[] | undefined
  /** Bytes that bodies of all requests may take in memory at the same time. */
  readonly bodyBytesAtOnce: number | undefined
  readonly signUp: {
    readonly closed: boolean
    readonly inviteOnly: boolean
    readonly verifyEmail: boolean
  }
  /** Where files are kept; undefined for the data directory. */
  readonly s3: S3Options | undefined
  /** The file of the catalogue of products; undefined for the one that is shipped. */
  readonly billingCatalogue: string | undefined
  readonly smtp: SmtpOptions | undefined
  /** Where mails are written to instead of being sent. */
  readonly mailOutbox: OutboxOptions | undefined
  readonly turnstile: TurnstileOptions | undefined
}

/** A PostgreSQL database, and how many connections to it one server holds at most. */
export interface DatabaseAddress {
  readonly connectionString: string
  readonly poolSize: number
}

/** Why the server can't start, in sentences for its operator. */
export class ConfigurationError extends Error {
  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'))
    this.name = 'ConfigurationError'
  }
}

const poolSizeDefault = 10

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the configuration; throws a ConfigurationError that names everything that is wrong. */
export function readConfiguration(env: Environment): Configuration {
  return readAs(variables, env)
}

/** Reads the configuration for a change of the key: the key before may end with a line break. */
export function readRotation(env: Environment): Configuration {
  return readAs(variablesOfRotation, env)
}

function readAs(form: typeof variables, env: Environment): Configuration {
  // Compose files and the like set what they leave open to nothing.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = form.safeParse(given)
  const sentences = [
    ...(parsed.error?.issues ?? []).map(toSentence),
    ...(parsed.success ? contradictionsIn(parsed.data) : []),
  ]
  if (!parsed.success || sentences.length > 0) throw new ConfigurationError(sentences)
  return toConfiguration(parsed.data)
}

/** Reads the server for imports and exports on the command line; throws a ConfigurationError for an invalid URL or token. */
export function readTransferServer(env: Environment): {
  readonly url: string
  readonly token: string | undefined
} {
  const { GATELEG_URL, GATELEG_TOKEN } = env
  const parsed = variables.pick({ GATELEG_URL: true, GATELEG_TOKEN: true }).safeParse({
    GATELEG_URL: GATELEG_URL || undefined,
    GATELEG_TOKEN: GATELEG_TOKEN || undefined,
  })
  if (!parsed.success) throw new ConfigurationError(parsed.error.issues.map(toSentence))
  const { GATELEG_URL: url = 'http://127.0.0.1:3000', GATELEG_TOKEN: token } = parsed.data
  return { url, token }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

function toSentence({ path, message }: Issue): string {
  return `${path.join('.')} ${message}.`
}

function contradictionsIn(given: Variables): string[] {
  const sentences: string[] = []
  const require = (name: keyof Variables, by: keyof Variables) => {
    if (given[by] && given[name] === undefined) sentences.push(`${by} needs ${name}.`)
  }
  require('DATABASE_URL', 'DATABASE_POOL_SIZE')
  require('GATELEG_KEY', 'GATELEG_NEW_KEY')
  for (const name of variableNames) {
    if (name.startsWith('S3_')) require('S3_BUCKET', name as keyof Variables)
  }
  require('S3_ACCESS_KEY_ID', 'S3_BUCKET')
  require('S3_SECRET_ACCESS_KEY', 'S3_BUCKET')
  require('SMTP_FROM', 'SMTP_HOST')
  if (given.SIGNUP_VERIFY_EMAIL && !given.SMTP_HOST && !given.MAIL_OUTBOX) {
    sentences.push('SIGNUP_VERIFY_EMAIL needs SMTP_HOST, or MAIL_OUTBOX.')
  }
  if (given.MAIL_OUTBOX && given.SMTP_HOST) {
    sentences.push('MAIL_OUTBOX is instead of SMTP_HOST: set one of them.')
  }
  require('SMTP_PASSWORD', 'SMTP_USER')
  require('TURNSTILE_SECRET_KEY', 'TURNSTILE_VERIFY_URL')
  return sentences
}

function toConfiguration(given: Variables): Configuration {
  return {
    host: given.HOST,
    port: given.PORT,
    dataDir: given.DATA_DIR,
    database: toDatabase(given),
    publicUrl: given.PUBLIC_URL?.replace(/\/+$/, ''),
    instanceKey: given.GATELEG_KEY,
    newInstanceKey: given.GATELEG_NEW_KEY,
    logLevel: given.LOG_LEVEL,
    maxFolderDepth: given.MAX_FOLDER_DEPTH,
    maxAttachmentBytes: given.MAX_ATTACHMENT_BYTES,
    attachmentUrlSeconds: given.ATTACHMENT_URL_TTL_SECONDS,
    fetchNetworks: given.FETCH_ALLOW_CIDRS,
    recordHistoryDays: given.RECORD_HISTORY_DAYS,
    trashRetentionDays: given.TRASH_RETENTION_DAYS,
    callLimits: toCallLimits(given),
    trustedProxies: given.TRUSTED_PROXIES,
    pluginFrameOrigins: given.PLUGIN_FRAME_ORIGINS,
    trustedLoginClients: given.TRUSTED_LOGIN_CLIENTS,
    bodyBytesAtOnce: given.MAX_BODY_BYTES_AT_ONCE,
    signUp: {
      closed: given.SIGNUP_CLOSED,
      inviteOnly: given.SIGNUP_INVITE_ONLY,
      verifyEmail: given.SIGNUP_VERIFY_EMAIL,
    },
    s3: toS3(given),
    billingCatalogue: given.BILLING_CATALOGUE,
    smtp: toSmtp(given),
    mailOutbox: toOutbox(given),
    turnstile: given.TURNSTILE_SECRET_KEY
      ? {
          secretKey: given.TURNSTILE_SECRET_KEY,
          ...(given.TURNSTILE_VERIFY_URL && { siteverifyUrl: given.TURNSTILE_VERIFY_URL }),
        }
      : undefined,
  }
}

function toDatabase(given: Variables): DatabaseAddress | undefined {
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: poolSize = poolSizeDefault } = given
  return connectionString === undefined ? undefined : { connectionString, poolSize }
}

function toCallLimits(given: Variables): Partial<CallLimitOptions> {
  const perSecond = given.RATE_LIMIT_PER_SECOND
  const perSecondOfToken = given.TOKEN_RATE_LIMIT_PER_SECOND
  const signUpsPerMinute = given.SIGNUP_LIMIT_PER_MINUTE
  const signInsPerMinute = given.SIGNIN_LIMIT_PER_MINUTE
  const shareCallsPerMinute = given.SHARE_LIMIT_PER_MINUTE
  const sharedFormsPerMinute = given.FORM_LIMIT_PER_MINUTE
  return {
    ...(perSecond !== undefined && { perSecond }),
    ...(perSecondOfToken !== undefined && { perSecondOfToken }),
    ...(signUpsPerMinute !== undefined && { signUpsPerMinute }),
    ...(signInsPerMinute !== undefined && { signInsPerMinute }),
    ...(shareCallsPerMinute !== undefined && { shareCallsPerMinute }),
    ...(sharedFormsPerMinute !== undefined && { sharedFormsPerMinute }),
  }
}

function toS3(given: Variables): S3Options | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = given
  if (bucket === undefined || id === undefined || secret === undefined) return undefined
  return {
    ...{ bucket, accessKeyId: id, secretAccessKey: secret },
    ...(given.S3_SESSION_TOKEN !== undefined && { sessionToken: given.S3_SESSION_TOKEN }),
    ...(given.S3_REGION !== undefined && { region: given.S3_REGION }),
    ...(given.S3_ENDPOINT !== undefined && { endpoint: given.S3_ENDPOINT }),
    ...(given.S3_PATH_STYLE !== undefined && { pathStyle: given.S3_PATH_STYLE }),
    ...(given.S3_PREFIX !== undefined && { prefix: given.S3_PREFIX }),
  }
}

function toOutbox({ MAIL_OUTBOX: folder, SMTP_FROM: from }: Variables): OutboxOptions | undefined {
  return folder === undefined ? undefined : { folder, from: from ?? 'gateleg@localhost' }
}

function toSmtp(given: Variables): SmtpOptions | undefined {
  const { SMTP_HOST: host, SMTP_FROM: from } = given
  if (host === undefined || from === undefined) return undefined
  return {
    host,
    from,
    port: given.SMTP_PORT,
    ...(given.SMTP_SECURE !== undefined && { secure: given.SMTP_SECURE }),
    ...(given.SMTP_REQUIRE_TLS !== undefined && { requireTls: given.SMTP_REQUIRE_TLS }),
    ...(given.SMTP_USER !== undefined && { user: given.SMTP_USER }),
    ...(given.SMTP_PASSWORD !== undefined && { password: given.SMTP_PASSWORD }),
  }
}
