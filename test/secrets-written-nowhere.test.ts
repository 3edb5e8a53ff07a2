import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Mail } from '@gateleg/domain/accounts/mail/mailer'
import { openSignUp } from '@gateleg/domain/accounts/sign-up/sign-up-policy'
import { defaultSettings } from '@gateleg/domain/settings'
import { WebOpenIdClient } from '@gateleg/engine/platform/open-id/web-open-id-client'
import { TurnstileHumanCheck } from '@gateleg/engine/turnstile'
import { KeptMail } from '@gateleg/testing/doubles/kept-mail'
import { openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startMailServer, textOfMail } from './mail-server.ts'
import { type S3TestServer, startS3Server } from './s3-server.ts'
import { AnswerRecord } from './secrets/answer-record.ts'
import { callWrongly, liveThrough } from './secrets/live-through.ts'
import { makeOwnDatabase, type OwnDatabase } from './secrets/own-database.ts'
import { printAfter, printBeside } from './secrets/printed-words.ts'
import { newSecret, Scene } from './secrets/scene.ts'
import { SearchedPlaces } from './secrets/searched-places.ts'
import { SecretSearch } from './secrets/secret-search.ts'
import type { Member } from './secrets/seed-accounts.ts'
import { filesBelow, rowsOfPostgres, rowsOfSqlite } from './secrets/stored-bytes.ts'
import { startServices, type TalkativeServices } from './secrets/talkative-services.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { isOn, type StorageName } from './storages.ts'

const publicUrl = 'https://tables.example.com'

/** What a search must have looked for, and looked through, to be one. */
const secretsMin = 1_000
const refusalsMin = 900
const eventsMin = 100
const bytesMin = {
  ...{ log: 300_000, answers: 2_000_000, storage: 50_000, 'storage at the end': 50_000 },
  ...{ files: 5_000, bucket: 100, commands: 4_000 },
}

let folder: string
let search: SecretSearch
let services: TalkativeServices
const ends: (() => unknown)[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  search = new SecretSearch()
  services = await startServices({
    tokenOfProvider: word('access token of the provider'),
    refreshTokenOfProvider: word('refresh token of the provider'),
  })
  ends.push(() => rmSync(folder, { recursive: true }), services.close)
})
afterEach(async () => {
  while (ends.length > 0) await ends.pop()?.()
})

const secret = (name: string) => search.add(name, newSecret())
const word = (name: string) => search.add(name, newSecret().replace(/[^\dA-Za-z]/g, ''))

describe.each(['sqlite', 'postgres'] as const)('a server on %s', (storage) => {
  let server: ServerProcess
  let s3: S3TestServer
  let database: OwnDatabase | undefined

  /** All that a server can be configured with, and its mail server. */
  async function configure(name: StorageName) {
    const mail = await startMailServer()
    const S3_SECRET_ACCESS_KEY = word('key of the store')
    const ofStore = { accessKeyId: 'LIBRARY', secretAccessKey: S3_SECRET_ACCESS_KEY }
    s3 = await startS3Server('files', ofStore)
    database =
      name === 'postgres' ? await makeOwnDatabase(secret('password of the database')) : undefined
    ends.push(mail.close, s3.stop, async () => database?.drop())
    const variables: Readonly<Record<string, string>> = {
      ...(database && { DATABASE_URL: database.connectionString }),
      ...{ DATA_DIR: join(folder, 'data'), GATELEG_KEY: secret('instance key') },
      ...{ LOG_LEVEL: 'trace', PUBLIC_URL: publicUrl, FETCH_ALLOW_CIDRS: '127.0.0.1' },
      ...{ SIGNUP_INVITE_ONLY: 'true', SIGNUP_VERIFY_EMAIL: 'true' },
      ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(mail.port), SMTP_FROM: 'g@example.com' },
      ...{ SMTP_USER: 'library', SMTP_PASSWORD: secret('password of the mail server') },
      ...{ S3_BUCKET: s3.bucket, S3_ENDPOINT: s3.endpoint, S3_ACCESS_KEY_ID: 'LIBRARY' },
      ...{ S3_SESSION_TOKEN: word('session token of the store') },
      ...{ S3_SECRET_ACCESS_KEY, TURNSTILE_SECRET_KEY: secret('key of the captcha') },
      ...{ TURNSTILE_VERIFY_URL: `${services.url}/captcha`, RATE_LIMIT_PER_SECOND: '0' },
      ...{ SIGNUP_LIMIT_PER_MINUTE: '0', SIGNIN_LIMIT_PER_MINUTE: '0' },
      ...{ SHARE_LIMIT_PER_MINUTE: '0', FORM_LIMIT_PER_MINUTE: '0' },
    }
    return { variables, mail }
  }

  const rows = (dataDir: string) =>
    database ? rowsOfPostgres(database.connectionString) : rowsOfSqlite(join(dataDir, 'gateleg.db'))

  test.runIf(isOn(storage))(
    '[SERVER-72] writes no secret anywhere but in the answer that shows it',
    { timeout: 240_000 },
    async ({ annotate }) => {
      const { variables, mail } = await configure(storage)
      const { DATA_DIR: dataDir = '' } = variables
      server = await startServer(variables)
      ends.push(server.kill)
      const record = new AnswerRecord(search)
      const scene = new Scene({
        ...{ url: server.url, search, record, services },
        mails: () => mail.mails.map(textOfMail),
        refuseMail: (refuses) => {
          mail.refuses = refuses
        },
      })
      const lived = await liveThrough(scene)
      expect(mail.signedIn[0]).toBe(`library:${variables.SMTP_PASSWORD}`)
      const { owner, ids, unanswered } = lived
      const { baseId = '', tableId = '' } = ids
      const beside = { folder, url: server.url, token: owner.accessToken, baseId, tableId }
      const printed = await printBeside(variables, search, beside)
      const whileServing = [...filesBelow(dataDir), ...(await rows(dataDir))]
      const refused = await callWrongly(scene, lived)
      await database?.whileCutOff(() => callInVain(scene, owner))
      await endOf(server)
      printed.push(...(await printAfter(variables, search)))
      const done = printed.filter(({ code }) => code === 0)
      expect(done.map(({ command }) => command.split(' ')[0])).toEqual([
        ...[
          '--help',
          'jobs',
          ...(database ? [] : ['backup']),
          'export',
          'export-base',
          'rotate-key',
        ],
      ])
      const searched = new SearchedPlaces(search)
      searched.look('log', 'output', server.log())
      searched.look('log', 'words', server.words())
      searched.lookThroughAnswers(record)
      searched.lookThroughStored('storage', whileServing)
      searched.lookThroughStored('storage at the end', await rows(dataDir))
      searched.lookThroughStored('files', filesBelow(folder))
      searched.lookThroughStored('bucket', filesBelow(s3.directory))
      for (const { command, text } of printed) {
        searched.look('commands', command, text)
      }
      expect(searched.found).toEqual([])
      expect(record.unused).toEqual([])
      expect(unanswered).toEqual(['accounts.readAvatar'])
      expect(refused).toBeGreaterThan(refusalsMin)
      expect(search.secrets.length).toBeGreaterThan(secretsMin)
      for (const [kind, bytes] of Object.entries(bytesMin)) {
        expect(searched.bytes[kind], kind).toBeGreaterThan(bytes)
      }
      await annotate(`${search.secrets.length} secrets, bytes: ${JSON.stringify(searched.bytes)}`)
    },
  )
})

/** Calls while the database is out of reach. */
async function callInVain(scene: Scene, { email, api }: Member): Promise<void> {
  const password = scene.secret('password while the database is out of reach')
  await scene.refused(scene.api().accounts.signIn({ email, password }))
  await scene.refused(api.accounts.changePassword({ password, newPassword: password }))
  await scene.refused(api.accessTokens.listTokens({}))
  const authorization = `Bearer ${scene.word('token while the database is out of reach')}`
  const path = `/api/space?token=${scene.word('query while the database is out of reach')}`
  const { status } = await scene.send({ path, headers: { authorization } })
  expect(status).toBe(503)
  await scene.send({ path: `/health?token=${authorization}` })
}

/** Ends it as an operator does, so that it has written all of its log. */
async function endOf(server: ServerProcess): Promise<void> {
  process.kill(server.processId ?? 0, 'SIGTERM')
  while (server.isAlive()) await pause(20)
}

/** Keeps mails, but for the time in which it is broken in a way that nobody foresaw. */
class BreakingMail extends KeptMail {
  isBroken = false

  override async send(mail: Mail): Promise<void> {
    if (this.isBroken) throw new TypeError('something is not a function')
    return super.send(mail)
  }
}

describeOnEveryStorage('an engine', (storage) => {
  test('[SERVER-72] tells its listeners and its log no secret', { timeout: 240_000 }, async ({
    annotate,
  }) => {
    const mailer = new BreakingMail()
    const secretKey = secret('key of the captcha')
    const siteverifyUrl = `${services.url}/captcha`
    const humanCheck = new TurnstileHumanCheck({ secretKey, siteverifyUrl })
    const lines: object[] = []
    const world = await openHttpWorld(storage, {
      publicUrl,
      onLog: (fields) => lines.push(fields),
      ports: {
        mail: { mailer, publicUrl },
        settings: { ...defaultSettings, publicUrl },
        openIdClient: new WebOpenIdClient({ allow: ['127.0.0.1'] }),
        signUpPolicy: { ...openSignUp, inviteOnly: true, codeMailer: mailer, humanCheck },
      },
    })
    ends.push(world.close)
    const record = new AnswerRecord(search)
    const scene = new Scene({
      ...{ url: world.url, search, record, services },
      mails: () => mailer.mails.map(({ text }) => text),
      refuseMail: (refuses) => {
        mailer.isBroken = refuses
      },
    })
    await callWrongly(scene, await liveThrough(scene))
    expect(lines).toContainEqual(expect.objectContaining({ incidentId: expect.any(String) }))
    const searched = new SearchedPlaces(search)
    for (const event of world.events) {
      searched.look('events', event.name, JSON.stringify(event))
    }
    searched.look('log', 'lines', JSON.stringify(lines))
    expect(searched.found).toEqual([])
    expect(search.secrets.length).toBeGreaterThan(secretsMin)
    expect(world.events.length).toBeGreaterThan(eventsMin)
    expect(searched.bytes.log).toBeGreaterThan(bytesMin.log)
    await annotate(`${search.secrets.length} secrets, bytes: ${JSON.stringify(searched.bytes)}`)
  })
})
