import { expect, test } from 'vitest'
import { ConfigurationError, readConfiguration, readTransferServer } from './configuration.ts'

function sentencesOf(env: Record<string, string>): string[] {
  try {
    readConfiguration(env)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as Error).message.split('\n')
  }
}

test('[SERVER-1] needs nothing, and takes what is set to nothing as not set', () => {
  const defaults = readConfiguration({})
  expect(defaults).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    dataDir: './data',
    logLevel: 'info',
    signUp: { closed: false, inviteOnly: false, verifyEmail: false },
  })
  const empty = { PORT: '', HOST: '', SMTP_HOST: '', DATABASE_URL: '', SMTP_FROM: '' }
  expect(readConfiguration({ ...empty, PATH: '/bin', HOME: '/' })).toEqual(defaults)
})

test('[SERVER-1] reads what is set', () => {
  const key = 'k'.repeat(32)
  expect(
    readConfiguration({
      HOST: '0.0.0.0',
      PORT: '0',
      DATA_DIR: '/var/lib/gateleg',
      PUBLIC_URL: 'https://work.example/',
      GATELEG_KEY: key,
      LOG_LEVEL: 'silent',
      MAX_FOLDER_DEPTH: '5',
      MAX_BODY_BYTES_AT_ONCE: '99999999',
      RATE_LIMIT_PER_SECOND: '100',
      TOKEN_RATE_LIMIT_PER_SECOND: '20',
      SIGNUP_LIMIT_PER_MINUTE: '0',
      TRUSTED_PROXIES: '10.0.0.5, 192.168.0.0/16,2001:db8::/32',
      FETCH_ALLOW_CIDRS: '10.1.0.0/16',
      SIGNUP_INVITE_ONLY: 'true',
      SIGNUP_VERIFY_EMAIL: 'true',
      SMTP_HOST: 'mail.example',
      SMTP_FROM: 'Gateleg <gateleg@work.example>',
      SMTP_USER: 'gateleg',
      SMTP_PASSWORD: 'secret',
      SMTP_REQUIRE_TLS: 'true',
      TURNSTILE_SECRET_KEY: 'sealed',
    }),
  ).toEqual({
    host: '0.0.0.0',
    port: 0,
    dataDir: '/var/lib/gateleg',
    publicUrl: 'https://work.example',
    instanceKey: key,
    logLevel: 'silent',
    maxFolderDepth: 5,
    bodyBytesAtOnce: 99_999_999,
    callLimits: { perSecond: 100, perSecondOfToken: 20, signUpsPerMinute: 0 },
    fetchNetworks: ['10.1.0.0/16'],
    trustedProxies: ['10.0.0.5', '192.168.0.0/16', '2001:db8::/32'],
    signUp: { closed: false, inviteOnly: true, verifyEmail: true },
    smtp: {
      host: 'mail.example',
      port: 587,
      from: 'Gateleg <gateleg@work.example>',
      user: 'gateleg',
      password: 'secret',
      requireTls: true,
    },
    turnstile: { secretKey: 'sealed' },
  })
})

test('[SERVER-2] says of every wrong value what is expected, and repeats none', () => {
  const sentences = sentencesOf({
    PORT: 'eighty',
    PUBLIC_URL: 'work.example',
    LOG_LEVEL: 'loud',
    MAX_FOLDER_DEPTH: '-1',
    GATELEG_KEY: 'secret',
    SIGNUP_CLOSED: 'yes',
    TURNSTILE_VERIFY_URL: 'ftp://x',
  })
  expect(sentences.toSorted()).toEqual([
    'GATELEG_KEY must be 32 characters or more.',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
    'MAX_FOLDER_DEPTH must be a whole number from 0 to 20.',
    'PORT must be a whole number from 0 to 65535.',
    'PUBLIC_URL must be a URL that begins with http:// or https://.',
    'SIGNUP_CLOSED must be true or false.',
    'TURNSTILE_VERIFY_URL must be a URL that begins with http:// or https://.',
  ])
  for (const PORT of ['65536', '80.5', '0x50', ' 80', '1e3']) {
    expect(sentencesOf({ PORT })).toEqual(['PORT must be a whole number from 0 to 65535.'])
  }
})

test('[SERVER-120] takes no blanks for a value', () => {
  const s3 = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' }
  const smtp = { SMTP_HOST: 'mail.example', SMTP_FROM: 'g@work.example', SMTP_USER: 'g' }
  for (const [name, more] of Object.entries({
    ...{ HOST: {}, BILLING_CATALOGUE: {}, MAIL_OUTBOX: {}, TURNSTILE_SECRET_KEY: {} },
    ...{ S3_BUCKET: s3, S3_ACCESS_KEY_ID: s3, S3_SECRET_ACCESS_KEY: s3, S3_REGION: s3 },
    ...{ S3_SESSION_TOKEN: s3, SMTP_USER: smtp, SMTP_PASSWORD: smtp },
  })) {
    const refusal = [`${name} must be more than blanks.`]
    for (const blanks of [' ', '\t\n']) {
      expect(sentencesOf({ ...more, [name]: blanks })).toEqual(refusal)
    }
  }
  const refusal = ['DATA_DIR must be a path that does not begin with a blank.']
  for (const DATA_DIR of [' ', ' /var/lib/gateleg']) {
    expect(sentencesOf({ DATA_DIR })).toEqual(refusal)
  }
  expect(sentencesOf({ DATA_DIR: '/var/my data' })).toEqual([])
})

test('[SERVER-140] takes no secret with a line break at its end, and says so in one sentence', () => {
  const s3 = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' }
  const smtp = { SMTP_HOST: 'mail.example', SMTP_FROM: 'g@work.example', SMTP_USER: 'g' }
  const key = 'k'.repeat(32)
  for (const [name, more] of Object.entries({
    ...{ GATELEG_KEY: {}, GATELEG_NEW_KEY: { GATELEG_KEY: key }, TURNSTILE_SECRET_KEY: {} },
    ...{ S3_ACCESS_KEY_ID: s3, S3_SECRET_ACCESS_KEY: s3, S3_SESSION_TOKEN: s3 },
    ...{ SMTP_USER: { ...smtp, SMTP_PASSWORD: 'p' }, SMTP_PASSWORD: smtp },
  })) {
    for (const end of ['\n', '\r\n', '\r']) {
      const sentences = sentencesOf({ ...more, [name]: `${key}${end}` })
      expect(sentences).toHaveLength(1)
      expect(sentences[0]).toMatch(
        new RegExp(`^${name} must be without a line break at its end[^k]*(key[^k]*)*\\.$`),
      )
      expect(sentences[0]).not.toContain(key)
    }
    expect(sentencesOf({ ...more, [name]: `${key} a\nb` })).toEqual([])
  }
})

test('[SERVER-121] takes a token that can be sent, and tells of no other', () => {
  expect(readTransferServer({ GATELEG_TOKEN: ' gateleg_a_b\n' }).token).toBe('gateleg_a_b')
  expect(readTransferServer({ GATELEG_TOKEN: '' }).token).toBeUndefined()
  for (const GATELEG_TOKEN of ['secret\nanother', 'secret\tanother', 'se cret', 'sécret', ' ']) {
    const read = () => readTransferServer({ GATELEG_TOKEN, GATELEG_URL: 'x' })
    expect(read).toThrow(
      /^GATELEG_URL must be a URL that .*\nGATELEG_TOKEN must be a token without blanks in it\.$/,
    )
  }
})

test('[SERVER-73] takes no address with a user name or a password, which would be told with it', () => {
  for (const [name, more] of Object.entries({
    PUBLIC_URL: {},
    GATELEG_URL: {},
    TURNSTILE_VERIFY_URL: { TURNSTILE_SECRET_KEY: 'sealed' },
    S3_ENDPOINT: { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' },
  })) {
    const refusal = [`${name} must be a URL without a user name and a password.`]
    for (const url of [
      'https://a:b@work.example',
      'https://a@work.example',
      'http://:b@a.example/x',
    ]) {
      expect(sentencesOf({ ...more, [name]: url })).toEqual(refusal)
    }
    expect(sentencesOf({ ...more, [name]: 'https://work.example/a@b:c' })).toEqual([])
  }
})

test('[SERVER-2] takes no address with a query or a fragment, behind which paths would be lost', () => {
  const s3 = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' }
  for (const [name, more] of Object.entries({ PUBLIC_URL: {}, GATELEG_URL: {}, S3_ENDPOINT: s3 })) {
    for (const url of [
      'https://work.example/y?z=1',
      'https://work.example/#h',
      'https://a.example?',
    ]) {
      const refusal = [`${name} must be a URL without a query and a fragment.`]
      expect(sentencesOf({ ...more, [name]: url })).toEqual(refusal)
    }
  }
})

test('[SERVER-2] takes a mail server by its name or address, and a sender who can be one', () => {
  const mail = { SMTP_HOST: 'mail.example', SMTP_FROM: 'g@work.example' }
  for (const SMTP_FROM of [
    'not an address',
    'a@b@c',
    'A <a@b',
    'a@b, c@d',
    'A <a@b>, c@d',
    'A <a@b>\nBcc: c@d',
    '<>',
  ]) {
    expect([SMTP_FROM, sentencesOf({ ...mail, SMTP_FROM })]).toEqual([
      SMTP_FROM,
      [expect.stringMatching(/^SMTP_FROM must be an address, or a name and an address, such as /)],
    ])
  }
  for (const SMTP_FROM of [
    'g@localhost',
    'Größe & Co. <g@work.example>',
    '<g@a.example>',
    '"Support @ \\"Acme\\", Inc." <a@b.example>',
    ' "x>y"  < a@b.example > ',
    'a@b.example (Gateleg)',
  ]) {
    expect([SMTP_FROM, sentencesOf({ ...mail, SMTP_FROM })]).toEqual([SMTP_FROM, []])
  }
  for (const SMTP_HOST of ['http://mail.example', 'a b', 'mail.example/x']) {
    const refusal = ['SMTP_HOST must be the name or the address of a mail server.']
    expect(sentencesOf({ ...mail, SMTP_HOST })).toEqual(refusal)
  }
  for (const SMTP_HOST of ['::1', 'fe80::1%eth0', 'mail.größe.example']) {
    expect(sentencesOf({ ...mail, SMTP_HOST })).toEqual([])
  }
  expect(sentencesOf({ ...mail, SMTP_HOST: 'mail.example:587' })).toEqual([
    'SMTP_HOST must be one without a port: that is SMTP_PORT.',
  ])
  for (const SMTP_PORT of ['0', '65536']) {
    const refusal = ['SMTP_PORT must be a whole number from 1 to 65535.']
    expect(sentencesOf({ ...mail, SMTP_PORT })).toEqual(refusal)
  }
})

test('[SERVER-2] takes addresses and networks alone, and not everybody', () => {
  for (const networks of [
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/0',
    '10.0.0.1,',
    '10.0.0.1 10.0.0.2',
    '10.0.0.0/8/8',
    'loopback',
    'true',
    '1',
  ]) {
    for (const name of ['TRUSTED_PROXIES', 'FETCH_ALLOW_CIDRS']) {
      expect(sentencesOf({ [name]: networks })).toEqual([
        `${name} must be addresses and networks with commas between them, such as 10.0.0.5,192.168.0.0/16, and not everybody.`,
      ])
    }
  }
})

test('[SERVER-2] takes issuers with a client id for login clients that are trusted', () => {
  const read = (TRUSTED_LOGIN_CLIENTS: string) => readConfiguration({ TRUSTED_LOGIN_CLIENTS })
  const two = ' https://a.example/x  one , http://127.0.0.1:9 two@b'
  expect(read(two).trustedLoginClients).toEqual([
    { issuer: 'https://a.example/x', clientId: 'one' },
    { issuer: 'http://127.0.0.1:9', clientId: 'two@b' },
  ])
  for (const wrong of [
    'https://a.example',
    'a.example one',
    'https://a.example one two',
    'https://a.example one,',
    'ftp://a.example one',
    ' ',
  ]) {
    expect([wrong, sentencesOf({ TRUSTED_LOGIN_CLIENTS: wrong })]).toEqual([
      wrong,
      [expect.stringMatching(/^TRUSTED_LOGIN_CLIENTS must be issuers, each with a blank/)],
    ])
  }
})

test('[SERVER-4] stores in the database that is named, and in no other kind', () => {
  const connectionString = 'postgres://user:secret@host/db'
  expect(readConfiguration({}).database).toBeUndefined()
  expect(readConfiguration({ DATABASE_URL: connectionString }).database).toEqual({
    connectionString,
    poolSize: 10,
  })
  expect(sentencesOf({ DATABASE_URL: 'mysql://user:secret@host/db' })).toEqual([
    'DATABASE_URL must be a URL that begins with postgres:// or postgresql://.',
  ])
})

test('[SERVER-74] writes mails to a folder, or sends them by a server, not both', () => {
  const MAIL_OUTBOX = './outbox'
  expect(readConfiguration({ MAIL_OUTBOX })).toMatchObject({
    smtp: undefined,
    mailOutbox: { folder: './outbox', from: 'gateleg@localhost' },
  })
  const smtp = { SMTP_HOST: 'mail.example', SMTP_FROM: 'g@work.example' }
  expect(sentencesOf({ MAIL_OUTBOX, ...smtp })).toEqual([
    'MAIL_OUTBOX is instead of SMTP_HOST: set one of them.',
  ])
})

test('[SERVER-5] refuses what can not work without more', () => {
  expect(sentencesOf({ SMTP_HOST: 'mail.example' })).toEqual(['SMTP_HOST needs SMTP_FROM.'])
  expect(sentencesOf({ SIGNUP_VERIFY_EMAIL: 'true' })).toEqual([
    'SIGNUP_VERIFY_EMAIL needs SMTP_HOST, or MAIL_OUTBOX.',
  ])
  expect(sentencesOf({ SIGNUP_VERIFY_EMAIL: 'true', MAIL_OUTBOX: './outbox' })).toEqual([])
  expect(sentencesOf({ SMTP_USER: 'gateleg' })).toEqual(['SMTP_USER needs SMTP_PASSWORD.'])
  expect(sentencesOf({ TURNSTILE_VERIFY_URL: 'http://x' })).toEqual([
    'TURNSTILE_VERIFY_URL needs TURNSTILE_SECRET_KEY.',
  ])
})
