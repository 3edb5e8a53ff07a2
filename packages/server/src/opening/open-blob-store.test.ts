import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type S3TestServer, startS3Server } from '../../../../test/s3-server.ts'
import { ConfigurationError, readConfiguration } from '../configuration/configuration.ts'
import { openBlobStore } from './open-blob-store.ts'

let server: S3TestServer
let folder: string
const warnings: string[] = []

beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.stop())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  warnings.length = 0
})
afterEach(() => rmSync(folder, { recursive: true }))

const variables = (): Record<string, string> => ({
  DATA_DIR: folder,
  S3_BUCKET: server.bucket,
  S3_ACCESS_KEY_ID: server.key.accessKeyId,
  S3_SECRET_ACCESS_KEY: server.key.secretAccessKey,
  S3_ENDPOINT: server.endpoint,
  S3_PREFIX: 'gateleg/',
})
const open = (more: Record<string, string> = {}) =>
  openBlobStore(readConfiguration({ ...variables(), ...more }), (said) => warnings.push(said))

async function* text() {
  yield Buffer.from('A note')
}

test('[SERVER-50] keeps files in the bucket where one is configured, else in the data directory', async () => {
  server.takeRequests()
  const { path } = await (await open()).put(text())
  expect(server.takeRequests()).toEqual(['GET /files', `PUT /files/gateleg/${path}`])
  expect(readdirSync(join(folder, 'attachments', 'incoming'))).toEqual([])
  const onDisk = await openBlobStore(readConfiguration({ DATA_DIR: folder }), () => {})
  const other = await onDisk.put(text())
  expect(existsSync(join(folder, 'attachments', other.path.slice(-2), other.path))).toBe(true)
  expect([server.takeRequests(), warnings]).toEqual([[], []])
})

test('[SERVER-50] does not start with a bucket or a key that the store refuses', async () => {
  for (const [more, word] of [
    [{ S3_BUCKET: 'none' }, 'NoSuchBucket'],
    [{ S3_SECRET_ACCESS_KEY: 'wrong' }, 'SignatureDoesNotMatch'],
  ] as const) {
    const refusal = open(more)
    await expect(refusal).rejects.toBeInstanceOf(ConfigurationError)
    await expect(refusal).rejects.toThrow(word)
  }
})

test('[SERVER-50] starts and warns where the store is out of reach', async () => {
  const store = await open({ S3_ENDPOINT: 'http://127.0.0.1:1' })
  expect(warnings).toEqual([
    expect.stringMatching(/^The bucket "files" of S3_BUCKET .* until it answers\.$/),
  ])
  await expect(store.put(text())).rejects.toMatchObject({ code: 'service_busy' })
})

test('[SERVER-2] says what the variables of a bucket lack', () => {
  const sentencesOf = (env: Record<string, string>) => {
    try {
      return readConfiguration(env) && []
    } catch (error) {
      return (error as Error).message.split('\n')
    }
  }
  expect(sentencesOf({ S3_BUCKET: 'files' })).toEqual([
    'S3_BUCKET needs S3_ACCESS_KEY_ID.',
    'S3_BUCKET needs S3_SECRET_ACCESS_KEY.',
  ])
  expect(sentencesOf({ S3_REGION: 'eu-central-1' })).toEqual(['S3_REGION needs S3_BUCKET.'])
  expect(sentencesOf({ ...variables(), S3_PREFIX: '/a b', S3_ENDPOINT: 'here' })).toEqual([
    'S3_ENDPOINT must be a URL that begins with http:// or https://.',
    'S3_PREFIX must be letters, digits and ._/- that do not begin with a slash.',
  ])
  expect(readConfiguration({ ...variables(), S3_PATH_STYLE: 'false' }).s3).toEqual({
    ...server.key,
    bucket: 'files',
    endpoint: server.endpoint,
    prefix: 'gateleg/',
    pathStyle: false,
  })
})
