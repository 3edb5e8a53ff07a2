import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultSettings } from '@gateleg/domain/settings'
import { S3BlobStore } from '@gateleg/engine/platform/s3/s3-blob-store'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import type { TestRequest } from '@gateleg/testing/http/send-request'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import type { ShownFile } from '@gateleg/testing/worlds/place'
import type { Person } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type S3TestServer, startS3Server } from '../../../../test/s3-server.ts'

/** A field of files in a new table, and where one is uploaded into a cell of it. */
async function newCell({ api }: Person, baseId: string) {
  const { id, records } = await api.tables.createTable({ baseId })
  const { id: fieldId } = await api.fields.createField({ tableId: id, type: 'attachment' })
  const path = `/api/table/${id}/record/${records[0]?.id}/${fieldId}/uploadAttachment`
  return { fieldId, path }
}

const boundary = 'xBoundaryx'

function uploadOf(content: string, path: string): TestRequest {
  return {
    method: 'POST',
    path,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${content}\r\n--${boundary}--\r\n`,
  }
}

describeOnEveryStorage('files in a bucket, over HTTP', (storage) => {
  let server: S3TestServer
  let world: HttpWorld
  let ada: Person
  let folder: string
  let fieldId: string
  let path: string

  beforeAll(async () => {
    server = await startS3Server()
    folder = mkdtempSync(join(tmpdir(), 'gateleg-s3-'))
    const options = { endpoint: server.endpoint, bucket: server.bucket, ...server.key }
    const blobs = new S3BlobStore(options, folder, {
      partBytes: 300_000,
      patience: { answerMs: 1_000, pauseMs: 1 },
    })
    const settings = { ...defaultSettings, maxAttachmentBytes: 1_000_000 }
    world = await openHttpWorld(storage, { ports: { blobs, settings } })
    ada = await world.newPerson('Ada')
    const { id: baseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    ;({ fieldId, path } = await newCell(ada, baseId))
  })
  afterAll(async () => {
    await world.close()
    rmSync(folder, { recursive: true })
  })

  const upload = (content: string) => world.sendAs(ada, uploadOf(content, path))
  const lastOf = (answer: { json(): unknown }) => {
    const { fields } = answer.json() as { fields: Record<string, readonly ShownFile[]> }
    return fields[fieldId]?.at(-1) as ShownFile
  }
  const puts = () => server.takeRequests().filter((request) => request.startsWith('PUT '))

  test('[BLOB-9] [ATTACH-8] [ATTACH-19] are stored and read, whole and in part', async () => {
    const content = Array.from({ length: 90_000 }, (_, index) => `line ${index}\n`).join('')
    server.takeRequests()
    const answer = await upload(content.slice(0, 900_000))
    expect([answer.status, puts().length]).toEqual([201, 3])
    const { presignedUrl } = lastOf(answer)
    const whole = await world.send({ method: 'GET', path: presignedUrl })
    expect([whole.status, whole.text === content.slice(0, 900_000)]).toEqual([200, true])
    const range = { Range: 'bytes=299990-300010' }
    const part = await world.send({ method: 'GET', path: presignedUrl, headers: range })
    expect([part.status, part.text]).toEqual([206, content.slice(299_990, 300_011)])
  })

  test('[ATTACH-10] that are too large are refused before the bucket is asked for anything', async () => {
    server.takeRequests()
    expect((await upload('x'.repeat(1_000_001))).status).toBe(413)
    expect([puts(), readdirSync(join(folder, 'incoming'))]).toEqual([[], []])
  })

  test('[BLOB-30] [HTTP-40] are refused with 503 where the bucket refuses the key, and the log says why', async () => {
    const logged: unknown[] = []
    const key = { ...server.key, secretAccessKey: 'notThisSecret' }
    const options = { endpoint: server.endpoint, bucket: server.bucket, ...key }
    const refused = await openHttpWorld(storage, {
      ports: { blobs: new S3BlobStore(options, folder) },
      onLog: (fields) => 'causeCode' in fields && logged.push(fields),
    })
    const bob = await refused.newPerson('Bob')
    const { id: baseId } = await bob.api.bases.createBase({ spaceId: bob.spaceId })
    const { path: cell } = await newCell(bob, baseId)
    const answer = await refused.sendAs(bob, uploadOf('A note', cell))
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60'])
    expect(answer.text).not.toMatch(/Signature|S3RVER|notThisSecret/)
    const err = { reason: 'SignatureDoesNotMatch', status: 403 }
    expect(logged).toMatchObject([{ status: 503, code: 'service_busy', err }])
    await refused.close()
  })

  test('[BLOB-11] are refused with 503 while the bucket is out of reach, and nothing is changed', async () => {
    const { presignedUrl } = lastOf(await upload('A note'))
    await server.stop()
    const answer = await upload('Another')
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5'])
    expect((await world.send({ method: 'GET', path: presignedUrl })).status).toBe(503)
    expect(readdirSync(join(folder, 'incoming'))).toEqual([])
  })
})
