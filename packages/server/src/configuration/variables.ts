import { isOrigin } from '@gateleg/domain/values/is-origin'
import { instanceKeyLengthMin } from '@gateleg/engine/instance-key'
import { prefixForm } from '@gateleg/engine/platform/s3/s3-options'
import { z } from 'zod'
import { isNetwork } from './network-text.ts'

const folderDepthMax = 20
const poolSizeMax = 1_000
const callsMax = 1_000_000
const bodyBytesMin = 1_048_576
const bodyBytesMax = 999_999_999
const attachmentBytesMax = 1_099_511_627_776
const attachmentUrlSecondsMin = 10
const attachmentUrlSecondsMax = 604_800
const historyDaysMax = 36_500
/** Days that the trash keeps at most. */
const trashDaysMax = 36_500
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const expecting = (what: string) => ({ error: `must be ${what}` })
const whole = (min: number, max: number) => {
  const expected = expecting(`a whole number from ${min} to ${max}`)
  return z
    .string()
    .regex(/^\d{1,13}$/, expected)
    .transform(Number)
    .refine((number) => number >= min && number <= max, expected)
}
const hasNoBreakAtItsEnd = (value: string) => !/[\r\n]$/.test(value)
const withoutBreak = 'without a line break at its end'
const anyKey = z.string().min(instanceKeyLengthMin, {
  ...expecting(`${instanceKeyLengthMin} characters or more`),
  abort: true,
})
const key = anyKey.refine(
  hasNoBreakAtItsEnd,
  expecting(`${withoutBreak}; data that have such a key get another one by gateleg rotate-key`),
)
const port = whole(0, 65_535)
const mailPort = whole(1, 65_535)
const flag = z.enum(['true', 'false'], expecting('true or false')).transform((v) => v === 'true')
const text = z.string()
/** What may be anything; nobody means blanks alone. */
const anything = text.regex(/\S/, { ...expecting('more than blanks'), abort: true })
/**
 * Files of secrets often end with a line break, which isn't part of them. It is refused rather than left off: data may
 * have been made with a key that has it.
 */
const secret = anything.refine(hasNoBreakAtItsEnd, expecting(withoutBreak))
/** What is no header would come back in the words of who refuses it. */
const credential = text
  .transform((given) => given.trim())
  .refine((given) => /^[\x21-\x7e]+$/.test(given), expecting('a token without blanks in it'))
const url = z
  .url({ protocol: /^https?$/, ...expecting('a URL that begins with http:// or https://') })
  // They would be in what is said of the address, and `fetch` takes none.
  .refine((text) => !hasCredentials(text), expecting('a URL without a user name and a password'))

/** Paths are put behind it. */
const baseUrl = url.refine(
  (text) => !/[?#]/.test(text),
  expecting('a URL without a query and a fragment'),
)

const mailHost = text
  .regex(/^[\p{L}\p{M}\p{N}_.:%-]+$/u, expecting('the name or the address of a mail server'))
  .refine((host) => !/^[^:]+:\d*$/.test(host), expecting('one without a port: that is SMTP_PORT'))

const mailAddress = String.raw`[^\s<>@,;:()"]+@[^\s<>@,;:()"]+`
const senderForm = new RegExp(
  String.raw`^(?:(?:"(?:[^"\\]|\\.)*"|[^<>"@,;:]*)\s*<\s*${mailAddress}\s*>|${mailAddress}(?:\s*\([^()]*\))?)$`,
)

const sender = text
  .transform((given) => given.trim())
  .refine(
    (given) => senderForm.test(given) && !/\p{Cc}/u.test(given),
    expecting('an address, or a name and an address, such as Gateleg <gateleg@example.com>'),
  )

const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  ...expecting('a URL that begins with postgres:// or postgresql://'),
})

const networks = text
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .refine(
    (list) => list.every(isNetwork),
    expecting(
      'addresses and networks with commas between them, such as 10.0.0.5,192.168.0.0/16, and not everybody',
    ),
  )

const origins = text
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .refine(
    (list) => list.every(isOrigin),
    expecting('origins with commas between them, such as https://app.example.com'),
  )

const loginClients = text
  .transform((list) => list.split(',').map((entry) => entry.trim().split(/\s+/)))
  .refine(
    (list) => list.every(([issuer = '', ...rest]) => rest.length === 1 && isWebUrl(issuer)),
    expecting(
      'issuers, each with a blank and a client id behind it, with commas between them, such as https://login.example.com tables',
    ),
  )
  .transform((list) => list.map(([issuer = '', clientId = '']) => ({ issuer, clientId })))

/** The variables of the environment that are read: the form of each, and what is expected of it. */
export const variables = z.object({
  HOST: anything.default('127.0.0.1'),
  PORT: port.default(3_000),
  DATA_DIR: text
    .regex(/^\S/, expecting('a path that does not begin with a blank'))
    .default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_POOL_SIZE: whole(1, poolSizeMax).optional(),
  PUBLIC_URL: baseUrl.optional(),
  LOG_LEVEL: z.enum(levels, expecting(`one of ${levels.join(', ')}`)).default('info'),
  MAX_FOLDER_DEPTH: whole(0, folderDepthMax).optional(),
  MAX_ATTACHMENT_BYTES: whole(1, attachmentBytesMax).optional(),
  ATTACHMENT_URL_TTL_SECONDS: whole(attachmentUrlSecondsMin, attachmentUrlSecondsMax).optional(),
  RECORD_HISTORY_DAYS: whole(0, historyDaysMax).optional(),
  TRASH_RETENTION_DAYS: whole(0, trashDaysMax).optional(),
  GATELEG_KEY: key.optional(),
  GATELEG_NEW_KEY: key.optional(),
  MAX_BODY_BYTES_AT_ONCE: whole(bodyBytesMin, bodyBytesMax).optional(),
  RATE_LIMIT_PER_SECOND: whole(0, callsMax).optional(),
  TOKEN_RATE_LIMIT_PER_SECOND: whole(0, callsMax).optional(),
  SIGNUP_LIMIT_PER_MINUTE: whole(0, callsMax).optional(),
  SIGNIN_LIMIT_PER_MINUTE: whole(0, callsMax).optional(),
  SHARE_LIMIT_PER_MINUTE: whole(0, callsMax).optional(),
  FORM_LIMIT_PER_MINUTE: whole(0, callsMax).optional(),
  TRUSTED_PROXIES: networks.optional(),
  FETCH_ALLOW_CIDRS: networks.optional(),
  PLUGIN_FRAME_ORIGINS: origins.optional(),
  TRUSTED_LOGIN_CLIENTS: loginClients.optional(),
  SIGNUP_CLOSED: flag.default(false),
  SIGNUP_INVITE_ONLY: flag.default(false),
  SIGNUP_VERIFY_EMAIL: flag.default(false),
  S3_BUCKET: anything.optional(),
  S3_ACCESS_KEY_ID: secret.optional(),
  S3_SECRET_ACCESS_KEY: secret.optional(),
  S3_SESSION_TOKEN: secret.optional(),
  S3_REGION: anything.optional(),
  S3_ENDPOINT: baseUrl.optional(),
  S3_PATH_STYLE: flag.optional(),
  S3_PREFIX: text
    .regex(prefixForm, expecting('letters, digits and ._/- that do not begin with a slash'))
    .optional(),
  BILLING_CATALOGUE: anything.optional(),
  MAIL_OUTBOX: anything.optional(),
  SMTP_HOST: mailHost.optional(),
  SMTP_PORT: mailPort.default(587),
  SMTP_SECURE: flag.optional(),
  SMTP_REQUIRE_TLS: flag.optional(),
  SMTP_USER: secret.optional(),
  SMTP_PASSWORD: secret.optional(),
  SMTP_FROM: sender.optional(),
  TURNSTILE_SECRET_KEY: secret.optional(),
  TURNSTILE_VERIFY_URL: url.optional(),
  GATELEG_URL: baseUrl.optional(),
  GATELEG_TOKEN: credential.optional(),
})

/** The key as a change of it takes it, which is the way out for data whose key ends with a line break. */
export const variablesOfRotation = variables.extend({ GATELEG_KEY: anyKey.optional() })

function isWebUrl(text: string): boolean {
  return url.safeParse(text).success
}

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}

/** What was read of them. */
export type Variables = z.output<typeof variables>

/** The names of all of them. */
export const variableNames: readonly string[] = Object.keys(variables.shape)
